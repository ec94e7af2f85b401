import Endpoints

/// A setting of a transport that can't be meant, so that each request through it is refused.
///
///     WrongSetting("limited(perOrigin: 0)", unless: count >= 1, "write 1 or more")
package struct WrongSetting: Sendable {
    private let field: EndpointError.Field
    private let reason: String

    /// `nil` if the setting is right.
    /// - Parameter field: What has the setting.
    package init?(
        _ setting: String, in field: EndpointError.Field = .transport, unless isRight: Bool,
        _ advice: String
    ) {
        guard !isRight else { return nil }
        self.field = field
        reason = "has `\(setting)`, which can't be meant; \(advice)"
    }

    /// `nil` if each of the names can be one.
    /// - Parameter setting: What the names are given to, such as `logged`.
    package init?(
        masking names: SecretNames, of setting: String, in field: EndpointError.Field = .transport,
        _ advice: String
    ) {
        guard let fault = names.fault(advice) else { return nil }
        self.init("\(setting)(masking: \(fault.names))", in: field, unless: false, fault.advice)
    }

    /// The error of a request of this type, or of what every request needs.
    package func error(_ type: Any.Type) -> EndpointError {
        EndpointError(requestType: "\(type)", field: field, reason: reason)
    }
}

extension SecretNames {
    /// What is wrong with the names, if one has no letter or is a list of names, so that it names
    /// nothing.
    package func fault(_ advice: String) -> (names: String, advice: String)? {
        if self == union([""]) { return ("[\"\"]", advice) }
        return self == union([","])
            ? ("[\"…,…\"]", "write each name as a text of its own") : nil
    }
}

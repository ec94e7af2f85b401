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

    /// The error of a request of this type, or of what every request needs.
    package func error(_ type: Any.Type) -> EndpointError {
        EndpointError(requestType: "\(type)", field: field, reason: reason)
    }
}

extension SecretNames {
    /// Whether one of the names has no letter, so that it names nothing.
    package var hasEmptyName: Bool { self == union([""]) }
}

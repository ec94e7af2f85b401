import Endpoints
import EndpointsFormats
import EndpointsShared
import Foundation

extension Problems {
    /// Warns about values of a request that can't be meant, although the declaration allows them.
    mutating func addValueWarnings<Request: RequestType>(
        about request: Request, _ declaration: Declaration
    ) {
        let values = request.headerValues
        let read = declaration.headers.compactMap { name, source in
            source.text(in: values).map { (name, $0) }
        }
        let contents = declaration.headerContents.flatMap { $0.headerTexts(in: values) }
        for (name, text) in read + contents {
            addMediaTypeWarning(name, text)
            addGrammarWarning(name, text)
            addContentWarning(name, text, declaration)
        }
        for parameter in declaration.parameters {
            guard let field = parameter.field, parameter.source.isFile(in: request.parameters)
            else { continue }
            add(
                field,
                """
                is a file's URL, whose path on this device is sent; to send the file, declare a \
                `.part` with a File
                """)
        }
        if Request.BodyEncoder.self == JSONEncoder.self,
            let key = Mirror.keyOfList(in: request.body)
        {
            add(
                .body,
                """
                has a dictionary with keys of type \(key), which JSONEncoder writes as a list; use \
                String keys, or conform the type to CodingKeyRepresentable
                """)
        }
        let common = (request.commonHeaders as? any HeaderFields).flatMap { try? $0.headerTexts }
        let names = declaration.headers.map(\.name) + (common ?? []).map(\.name)
        if let text = request.body as? String, text.isJSON, !names.contains(.contentType),
            declaration.headerContents.isEmpty
        {
            add(
                .body,
                """
                is JSON, but is sent as text/plain; declare \
                `[.contentType: "application/json"]`, or an Encodable body
                """)
        }
    }
}

extension Problems {
    /// Warns about a `Content-Type` or a `Content-Encoding` that the body doesn't have.
    mutating func addContentWarning(_ name: Headers, _ text: String, _ declaration: Declaration) {
        guard !hasError(.header(name.name)) else { return }
        let value = text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        let isJSON = declaration.body.isEncoded && requestType.encodesJSON
        switch name {
        case "Content-Encoding":
            guard isJSON || declaration.sendsText,
                ["gzip", "x-gzip", "deflate", "br", "zstd", "compress"].contains(value)
            else { return }
            add(
                .header(name.name),
                """
                says that the body is compressed, but it is sent as it is; remove it, or compress \
                the body yourself, and declare it as Data
                """)
        case .contentType:
            if value.hasPrefix("multipart/"), !text.lowercased().contains("boundary=") {
                guard declaration.hasBody else { return }
                add(
                    .header(name.name),
                    """
                    has no boundary, without which the body can't be read; remove it, and declare \
                    parts, or a body of the type Multipart
                    """)
            } else if isJSON, value.isOtherFormatThanJSON {
                add(
                    .header(name.name),
                    """
                    is \(value), but the body is written as JSON; remove it, or declare a \
                    `bodyEncoder` that writes this format
                    """)
            }
        default: return
        }
    }
}

extension RequestType {
    fileprivate static var encodesJSON: Bool { BodyEncoder.self == JSONEncoder.self }
}

extension Declaration {
    /// Whether the library writes the content, in a form that no declaration compresses.
    fileprivate var sendsText: Bool { body.isText || sendsBody && !hasBody }
}

extension BodyPlan {
    fileprivate var isEncoded: Bool {
        switch self {
        case .encoded: true
        case .optional(let plan): plan.isEncoded
        default: false
        }
    }

    fileprivate var isText: Bool {
        switch self {
        case .raw(let type): type == .plainText
        case .optional(let plan): plan.isText
        default: false
        }
    }
}

extension String {
    /// Whether this media type is that of a format in which no JSON is written. JSON is YAML too
    /// (YAML 1.2, section 1.2), which Kubernetes' `application/apply-patch+yaml` relies on.
    fileprivate var isOtherFormatThanJSON: Bool {
        self == "application/x-www-form-urlencoded" || self == "text/csv" || hasSuffix("/xml")
            || hasSuffix("+xml")
    }

    /// Whether this is an object or a list of JSON.
    fileprivate var isJSON: Bool {
        guard let first = first(where: { !$0.isWhitespace }), "{[".contains(first) else {
            return false
        }
        return (try? JSONDecoder().decode(JSONValue.self, from: Data(utf8))) != nil
    }
}

/// A dictionary, which is sent with its keys.
protocol KeyedValues {
    /// The type of the keys, if `JSONEncoder` writes such a dictionary as a list.
    var keyOfList: Any.Type? { get }
}

extension Dictionary: KeyedValues {
    var keyOfList: Any.Type? {
        if Key.self == String.self || Key.self == Int.self { return nil }
        guard #available(macOS 12.3, iOS 15.4, tvOS 15.4, watchOS 8.5, *) else { return nil }
        return Key.self is any CodingKeyRepresentable.Type ? nil : Key.self
    }
}

extension Mirror {
    /// The type of the keys of the first dictionary in a value that `JSONEncoder` writes as a list.
    fileprivate static func keyOfList(in value: Any, depth: Int = 6) -> Any.Type? {
        if let key = (value as? any KeyedValues)?.keyOfList { return key }
        guard depth > 0 else { return nil }
        for child in Mirror(reflecting: value).children.prefix(100) {
            if let key = keyOfList(in: child.value, depth: depth - 1) { return key }
        }
        return nil
    }
}

extension DeclaredSource {
    /// The type of the value, without `Optional`.
    var valueType: Any.Type? {
        guard let type = constantType ?? keyPath.map({ Swift.type(of: $0).valueType }) else {
            return nil
        }
        return (type as? any AnyOptional.Type)?.wrappedType ?? type
    }

    var isDictionary: Bool { valueType is any KeyedValues.Type }

    /// Whether the value has one text. Of a type of another module, this isn't known.
    var isOneValue: Bool {
        let types: [Any.Type] = [
            String.self, Int.self, Double.self, Bool.self, Date.self, UUID.self, URL.self,
        ]
        return types.contains { $0 == valueType }
    }

    /// Whether an encoding such as JSON writes the value.
    var isEncoded: Bool {
        if case .property(_, _, .encoding, _, _) = self { true } else { false }
    }

    /// Whether the value is the URL of a file, or a list with one.
    fileprivate func isFile(in values: some Any) -> Bool {
        let value = keyPath.flatMap { values[keyPath: $0] }
        return (value as? URL)?.isFileURL == true
            || (value as? [URL])?.contains(where: \.isFileURL) == true
    }

    /// The text that a header has of a property; `nil` for a secret, and for a constant.
    fileprivate func text(in values: some Any) -> String? {
        guard case .property(_, _, let conversion, isSecret: false, _) = self,
            let value = keyPath.flatMap({ values[keyPath: $0] })
        else { return nil }
        if case .format(let format) = conversion {
            return (format as? any FormatStyle).flatMap { $0.text(of: value) }
        }
        switch try? (value as? any ParameterRepresentable)?.parameterRepresentation {
        case .one(let text): return text
        case .several(let texts): return texts.isEmpty ? nil : texts.joined(separator: ", ")
        default: return nil
        }
    }

    /// The headers in the property; empty if their texts can't be made.
    fileprivate func headerTexts(in values: some Any) -> [(Headers, String)] {
        let fields = keyPath.flatMap { values[keyPath: $0] } as? any HeaderFields
        return ((try? fields?.headerTexts) ?? []).compactMap { name, text in
            text.map { (name, $0) }
        }
    }
}

extension FormatStyle {
    fileprivate func text(of value: Any) -> String? {
        (value as? FormatInput).flatMap { format($0) as? String }
    }
}

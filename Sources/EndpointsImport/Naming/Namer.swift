/// Gives each thing a name that no other has; the same names each time.
struct Namer {
    private(set) var taken: Set<String>

    init(taken: Set<String> = []) {
        self.taken = taken
    }

    /// The name itself, or with a suffix, or with the first free number.
    mutating func name(_ wanted: String, or suffix: String) -> String {
        let base = wanted.isEmpty ? suffix : wanted
        var candidates = [base]
        if !wanted.isEmpty { candidates.append(base + suffix) }
        for candidate in candidates where !taken.contains(candidate) {
            taken.insert(candidate)
            return candidate
        }
        var number = 2
        while taken.contains("\(base)\(number)") { number += 1 }
        taken.insert("\(base)\(number)")
        return "\(base)\(number)"
    }

    mutating func take(_ name: String) { taken.insert(name) }
}

enum Reserved {
    /// Words that must be in backticks to be the name of a property or a case.
    static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
        "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while", "Any", "Self", "Type", "Protocol",
    ]

    /// Names of types that a declared type must not have, as the written text uses them.
    static let types: Set<String> = [
        "Any", "AnyObject", "Array", "Bool", "Body", "Boxed", "ByteStream", "Calls", "CallsListing",
        "Change", "Character",
        "Codable", "CodingKey", "CodingKeys", "Credentials", "Data", "Date", "Day", "Decimal",
        "Decodable", "Decoder", "Dictionary", "Double", "EmptyResponse", "Encodable", "Encoder",
        "Endpoint", "EndpointClient", "EndpointError", "Environment", "EnvironmentType", "Error",
        "ErrorResponse", "EventStream", "File", "FlatRequest", "FormEncoder", "HTTPURLResponse",
        "HeaderValues", "Headers", "Int", "JSONDecoder", "JSONEncoder", "JSONLines", "JSONName",
        "JSONValue",
        "Lines", "LoadPolicy", "Mirror", "Multipart", "Never", "OneOf", "Option", "Options",
        "OrNull",
        "PagedRequest", "Paging",
        "Optional", "OrUnknown", "Parameter", "Parameters", "PathComponents", "PathRepresentable",
        "Process", "Protocol", "RequestType", "Response", "Result", "Self", "Sendable",
        "ServerEnvironment", "Set", "String", "Task", "TagKey", "TaskError", "Type", "URL",
        "URLRequest",
        "UUID", "Unknown", "UnknownStatus", "Void", "WithHTTPResponse",
        // What the written text uses, or a program beside it would not reach any more.
        "AsyncSequence", "Calendar", "CaseIterable", "Collection", "Comparable",
        "CustomStringConvertible", "DateFormatter", "DecodingError", "EncodingError", "Endpoints",
        "Equatable", "Foundation", "Hashable", "ISO8601DateFormatter", "Identifiable", "Locale",
        "RawRepresentable", "ReadOneOf", "Sequence", "Swift", "TimeZone", "Transport", "URLError",
        "URLSession",
    ]

    /// Members of a request that a value of it must not be named like.
    static let requestMembers: Set<String> = [
        "body", "pathComponents", "parameters", "headerValues", "endpoint", "bodyEncoder",
        "responseDecoder", "errorDecoder", "commonHeaders", "loadPolicy", "commonLoadPolicy",
        "prepare", "paging", "succeeded", "checkedHooks", "problems", "snapshot", "decode",
        "response", "urlRequest", "self", "init",
    ]
}

extension String {
    /// The name as it stands in Swift's text.
    var escapedName: String { Reserved.keywords.contains(self) ? "`\(self)`" : self }

    /// The name after a dot, where Swift takes most keywords as they are.
    var memberName: String {
        ["init", "self", "Type", "Protocol"].contains(self) ? "`\(self)`" : self
    }
}

/// Gives each thing a name that no other has; the same names each time.
struct Namer {
    private var own: Set<String>
    /// The names around this place are taken too, but for some that mean something else here.
    private let around: Scope?
    private let free: Set<String>

    init(taken: Set<String> = [], in around: Scope? = nil, butFor free: Set<String> = []) {
        (own, self.around, self.free) = (taken, around, free)
    }

    func isTaken(_ name: String) -> Bool {
        own.contains(name) || !free.contains(name) && around?.namer.isTaken(name) == true
    }

    /// The name itself, or with a suffix, or with the first free number.
    mutating func name(_ wanted: String, or suffix: String) -> String {
        let base = wanted.isEmpty ? suffix : wanted
        var candidates = [base]
        if !wanted.isEmpty {
            candidates.append(base + suffix.prefix(1).uppercased() + suffix.dropFirst())
        }
        for candidate in candidates where !isTaken(candidate) {
            take(candidate)
            return candidate
        }
        var number = 2
        while isTaken("\(base)\(number)") { number += 1 }
        take("\(base)\(number)")
        return "\(base)\(number)"
    }

    mutating func take(_ name: String) { own.insert(name) }
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
        // Words that begin an expression or a type in some places.
        "any", "async", "await", "each", "some",
    ]

    /// Names of types that a declared type must not have, as the written text uses them.
    static let types: Set<String> = [
        "Any", "AnyObject", "Array", "Assignments", "AsyncSequence", "Body", "Bool", "Boxed",
        "ByteStream", "Calendar", "Calls", "CallsListing", "CaseIterable", "Change", "Character",
        "CocoaError", "Codable", "CodingKey", "CodingKeys", "Collection", "Comparable",
        "Credentials", "CustomStringConvertible", "Data", "Date", "DateFormatter", "Day", "Decimal",
        "Decodable", "Decoder", "DecodingError", "Dictionary", "Double", "EmptyResponse",
        "Encodable", "Encoder", "EncodingError", "Endpoint", "EndpointClient", "EndpointError",
        "Endpoints", "Environment", "EnvironmentType", "Equatable", "Error", "ErrorResponse",
        "EventStream", "File", "FlatRequest", "Float", "FormEncoder", "Foundation", "HTTPMethod",
        "HTTPURLResponse", "Hashable", "HeaderField", "HeaderValues", "Headers",
        "ISO8601DateFormatter", "Identifiable", "InJSON", "Int", "JSONDecoder", "JSONEncoder",
        "JSONLines", "JSONName", "JSONValue", "Lines", "LoadPolicy", "Locale", "MIMEType", "Mirror",
        "Multipart", "NamesAndValues", "Never", "OneOf", "Option", "Optional", "Options", "OrNull",
        "OrUnknown", "PagedRequest", "Paging", "Parameter", "ParameterEncoding",
        "ParameterRepresentable", "ParameterTexts", "Parameters", "PathComponents",
        "PathRepresentable", "ProblemDetails", "Process", "Protocol", "QueryItems", "RFC3339Format",
        "RawRepresentable", "ReadOneOf", "RequestType", "Response", "Result", "Self", "Sendable",
        "Sequence", "ServerEnvironment", "ServerSentEvent", "Set", "String", "Swift", "TagKey",
        "Task", "TaskError", "Testing", "TimeZone", "Transport", "Type", "UInt64", "URL",
        "URLError", "URLQueryItem", "URLRequest", "URLSession", "UUID", "Unknown", "UnknownStatus",
        "UnrepresentableValue", "Void", "WithHTTPResponse",
    ]

    /// Types of SwiftUI that an app's views name: one of the module itself would be in their place.
    static let swiftUI: Set<String> = [
        "Alert", "Angle", "Animation", "App", "Binding", "Button", "Canvas", "Capsule", "Circle",
        "Color", "ColorPicker", "Commands", "DatePicker", "Divider", "Edge", "Ellipse", "Font",
        "ForEach", "Form", "Gauge", "Gradient", "Grid", "Group", "Image", "Label", "Link", "List",
        "Map", "Material", "Menu", "Namespace", "NavigationLink", "NavigationStack", "Path",
        "Picker", "ProgressView", "Rectangle", "Scene", "ScrollView", "Section", "Shape", "Slider",
        "Spacer", "State", "Stepper", "Tab", "TabView", "Table", "Text", "TextField", "Toggle",
        "ToolbarItem", "Transaction", "View", "ViewModifier", "Window", "WindowGroup",
    ]

    /// The names that the library has for headers: `.ifMatch`.
    static let headers: [String: String] = [
        "accept": "accept", "accept-charset": "acceptCharset", "accept-encoding": "acceptEncoding",
        "accept-language": "acceptLanguage", "authorization": "authorization",
        "cache-control": "cacheControl", "content-encoding": "contentEncoding",
        "content-language": "contentLanguage", "content-type": "contentType", "cookie": "cookie",
        "date": "date", "expect": "expect", "forwarded": "forwarded", "from": "from",
        "idempotency-key": "idempotencyKey", "if-match": "ifMatch",
        "if-modified-since": "ifModifiedSince", "if-none-match": "ifNoneMatch",
        "if-range": "ifRange", "if-unmodified-since": "ifUnmodifiedSince",
        "keep-alive": "keepAlive", "origin": "origin", "prefer": "prefer",
        "proxy-authorization": "proxyAuthorization", "range": "range", "referer": "referer",
        "user-agent": "userAgent",
    ]

    /// Members of a request that a value of it must not be named like.
    static let requestMembers: Set<String> = [
        "body", "pathComponents", "parameters", "headerValues", "endpoint", "bodyEncoder",
        "responseDecoder", "errorDecoder", "commonHeaders", "loadPolicy", "commonLoadPolicy",
        "prepare", "paging", "succeeded", "checkedHooks", "problems", "snapshot", "decode",
        "response", "urlRequest", "self", "init",
    ]
}

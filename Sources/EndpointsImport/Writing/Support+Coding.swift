extension Support {
    static let options = Piece(
        mark: "OneOf {",
        text: """
            /// A value of one of several types.
            typealias OneOf = ReadOneOf & WrittenOneOf

            /// One of several types, which is decoded by its tag, or as the first option that fits.
            nonisolated protocol ReadOneOf: Decodable, Sendable {
                static var options: Options<Self> { get }
                static func unknown(_ value: JSONValue) -> Self
            }

            nonisolated struct Options<Choice>: Sendable {
                fileprivate var tag: String?
                fileprivate let all: [Option<Choice>]

                init(by tag: String, _ options: Option<Choice>...) { (self.tag, all) = (tag, options) }

                init<each Value: Decodable & SendableMetatype>(
                    _ make: repeat @escaping @Sendable (each Value) -> Choice
                ) {
                    var all: [Option<Choice>] = []
                    repeat all.append(Option(as: each make))
                    self.all = all
                }
            }

            nonisolated struct Option<Choice>: Sendable {
                fileprivate let tags: [String]
                fileprivate let read: @Sendable (any Decoder) throws -> Choice

                init<Value: Decodable & SendableMetatype>(
                    _ tags: String..., as make: @escaping @Sendable (Value) -> Choice
                ) {
                    self.tags = tags
                    // The container reads dates and data in the decoder's way.
                    read = { make(try $0.singleValueContainer().decode(Value.self)) }
                }
            }

            nonisolated extension ReadOneOf {
                init(from decoder: any Decoder) throws {
                    let options = Self.options
                    var all = options.all[...]
                    if let tag = options.tag {
                        let container = try decoder.container(keyedBy: TagKey.self)
                        let value = try container.decodeIfPresent(
                            JSONValue.self, forKey: TagKey(stringValue: tag))
                        all = all.filter { $0.tags.contains(value?.tag ?? "") }[...]
                    }
                    // The last one with the tag must fit; its error says what is wrong.
                    let last = options.tag == nil ? nil : all.popLast()
                    self =
                        try all.lazy.compactMap { try? $0.read(decoder) }.first
                        ?? last?.read(decoder) ?? .unknown(JSONValue(from: decoder))
                }
            }

            /// One of several types, which is encoded as the value of its case.
            nonisolated protocol WrittenOneOf: Encodable, Sendable {}

            nonisolated extension WrittenOneOf {
                func encode(to encoder: any Encoder) throws {
                    guard let value = Mirror(reflecting: self).children.first?.value as? any Encodable
                    else { return }
                    var container = encoder.singleValueContainer()
                    try container.encode(value)
                }
            }

            nonisolated extension JSONValue {
                fileprivate var tag: String? {
                    switch self {
                    case .string(let text): text
                    case .integer(let number): "\\(number)"
                    case .bool(let bool): "\\(bool)"
                    default: nil
                    }
                }
            }

            nonisolated private struct TagKey: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }

                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            """)

    static let statuses = Piece(
        mark: "UnknownStatus(",
        text: """
            /// A success with a status that the API's document doesn't have.
            nonisolated struct UnknownStatus: Error {
                let status: Int

                init(_ status: Int) { self.status = status }
            }

            """)

    static let keys = Piece(
        mark: "SnakeCase(except",
        text: """
            nonisolated extension JSONEncoder.KeyEncodingStrategy {
                /// Snake case, but for these names and their keys.
                static func convertToSnakeCase(except names: [String: String]) -> Self {
                    let others = Dictionary(names.map { ($1, $0) }) { first, _ in first }
                    return custom { path in
                        let key = path[path.count - 1].stringValue
                        return JSONName(stringValue: others[key] ?? key.inSnakeCase)
                    }
                }
            }

            nonisolated extension JSONDecoder.KeyDecodingStrategy {
                /// Snake case, but for these names and their keys.
                static func convertFromSnakeCase(except names: [String: String]) -> Self {
                    custom { path in
                        let key = path[path.count - 1].stringValue
                        return JSONName(stringValue: names[key] ?? key.inCamelCase)
                    }
                }
            }

            nonisolated extension String {
                fileprivate var inSnakeCase: String {
                    reduce(into: "") { $0 += $1.isUppercase ? "_\\($1.lowercased())" : "\\($1)" }
                }

                fileprivate var inCamelCase: String {
                    let parts = split(separator: "_")
                    guard parts.count > 1 else { return self }
                    let others = parts.dropFirst().map {
                        $0.prefix(1).uppercased() + $0.dropFirst()
                    }
                    return parts[0] + others.joined()
                }
            }

            """)

    static let formKeys = Piece(
        mark: "FormEncoder(keyEncodingStrategy: .convertToSnakeCase(except",
        text: """
            nonisolated extension FormEncoder.KeyEncodingStrategy {
                /// Snake case, but for these names and their keys.
                static func convertToSnakeCase(except names: [String: String]) -> Self {
                    let others = Dictionary(names.map { ($1, $0) }) { first, _ in first }
                    return .custom { path in
                        let key = path[path.count - 1].stringValue
                        return JSONName(stringValue: others[key] ?? key.inSnakeCase)
                    }
                }
            }

            """)

    static let pascalKeys = Piece(
        mark: "PascalCase(except",
        text: """
            nonisolated extension JSONEncoder.KeyEncodingStrategy {
                /// Names that begin with a capital, but for these names and their keys.
                static func convertToPascalCase(except names: [String: String]) -> Self {
                    let others = Dictionary(names.map { ($1, $0) }) { first, _ in first }
                    return custom { path in
                        let key = path[path.count - 1].stringValue
                        return JSONName(stringValue: others[key] ?? key.inPascalCase)
                    }
                }
            }

            nonisolated extension JSONDecoder.KeyDecodingStrategy {
                /// Names that begin with a capital, but for these names and their keys.
                static func convertFromPascalCase(except names: [String: String]) -> Self {
                    custom { path in
                        let key = path[path.count - 1].stringValue
                        let property = key.prefix(1).lowercased() + key.dropFirst()
                        return JSONName(stringValue: names[key] ?? property)
                    }
                }
            }

            nonisolated extension String {
                fileprivate var inPascalCase: String { prefix(1).uppercased() + dropFirst() }
            }

            """)

    static let pascalFormKeys = Piece(
        mark: "FormEncoder(keyEncodingStrategy: .convertToPascalCase(except",
        text: """
            nonisolated extension FormEncoder.KeyEncodingStrategy {
                /// Names that begin with a capital, but for these names and their keys.
                static func convertToPascalCase(except names: [String: String]) -> Self {
                    let others = Dictionary(names.map { ($1, $0) }) { first, _ in first }
                    return .custom { path in
                        let key = path[path.count - 1].stringValue
                        return JSONName(stringValue: others[key] ?? key.inPascalCase)
                    }
                }
            }

            """)

    static let jsonName = Piece(
        mark: "JSONName(",
        text: """
            nonisolated private struct JSONName: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }

                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            """)

    static let inJSON = Piece(
        mark: "InJSON<",
        text: """
            /// A value that is JSON, also if it is a text or bytes, which elsewhere are sent raw.
            nonisolated struct InJSON<Value: Sendable>: Sendable {
                var value: Value

                init(_ value: Value) { self.value = value }
            }

            nonisolated extension InJSON: Decodable where Value: Decodable {
                init(from decoder: any Decoder) throws {
                    value = try decoder.singleValueContainer().decode(Value.self)
                }
            }

            nonisolated extension InJSON: Encodable where Value: Encodable {
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(value)
                }
            }

            """)

    static let namesAndValues = Piece(
        mark: "NamesAndValues<",
        text: """
            /// An object as the texts of its names and values: `R,100,G,200`.
            nonisolated struct NamesAndValues<Object: Encodable & Sendable>: PathRepresentable, Sendable {
                var object: Object

                init(_ object: Object) { self.object = object }

                var parameterRepresentation: ParameterTexts {
                    get throws { .several(try members(of: object).flatMap { [$0.name, $0.text] }) }
                }

                var pathRepresentation: String? {
                    get throws { try members(of: object).flatMap { [$0.name, $0.text] }.joinedByCommas }
                }
            }

            """)

    static let assignments = Piece(
        mark: "Assignments<",
        text: """
            /// An object as texts with a name and a value each: `R=100,G=200`.
            nonisolated struct Assignments<Object: Encodable & Sendable>: PathRepresentable, Sendable {
                var object: Object

                init(_ object: Object) { self.object = object }

                var parameterRepresentation: ParameterTexts {
                    get throws { .several(try members(of: object).map { "\\($0.name)=\\($0.text)" }) }
                }

                var pathRepresentation: String? {
                    get throws {
                        try members(of: object).map { "\\($0.name)=\\($0.text)" }.joinedByCommas
                    }
                }
            }

            """)

    /// What the pieces of objects call.
    static let members = Piece(
        mark: "members(of: object)",
        text: """
            /// The members of an object, in their order, by the API's names.
            nonisolated private func members(of object: some Encodable) throws -> [(name: String, text: String)] {
                let form = String(decoding: try FormEncoder.api.encode(object), as: UTF8.self)
                return try form.split(separator: "&").map { field in
                    let texts = field.split(separator: "=", omittingEmptySubsequences: false).map {
                        let text = $0.replacingOccurrences(of: "+", with: " ")
                        return text.removingPercentEncoding ?? text
                    }
                    guard texts.count == 2, !texts[0].contains("[") else {
                        throw UnrepresentableValue("a member is a list or an object, which has no text")
                    }
                    return (texts[0], texts[1])
                }
            }

            nonisolated extension [String] {
                /// The texts with commas between them; `nil` if there is none.
                fileprivate var joinedByCommas: String? {
                    get throws {
                        guard !contains(where: { $0.contains(",") }) else {
                            throw UnrepresentableValue("a member has a comma, which also separates members")
                        }
                        return isEmpty ? nil : joined(separator: ",")
                    }
                }
            }

            """)
}

extension Support {
    static let options = Piece(
        mark: "OneOf {",
        text: """
            /// A value of one of several types.
            typealias OneOf = ReadOneOf & WrittenOneOf

            /// One of several types, which is decoded by its tag, or as the first option that fits.
            protocol ReadOneOf: Decodable, Sendable {
                static var options: Options<Self> { get }
                static func unknown(_ value: JSONValue) -> Self
            }

            struct Options<Choice>: Sendable {
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

            struct Option<Choice>: Sendable {
                fileprivate let tags: [String]
                fileprivate let read: @Sendable (any Decoder) throws -> Choice

                init<Value: Decodable & SendableMetatype>(
                    _ tags: String..., as make: @escaping @Sendable (Value) -> Choice
                ) {
                    self.tags = tags
                    read = { make(try Value(from: $0)) }
                }
            }

            extension ReadOneOf {
                init(from decoder: any Decoder) throws {
                    let options = Self.options
                    var all = options.all[...]
                    if let tag = options.tag {
                        let container = try decoder.container(keyedBy: TagKey.self)
                        let key = TagKey(stringValue: tag)
                        let text = try container.decodeIfPresent(String.self, forKey: key)
                        all = all.filter { $0.tags.contains(text ?? "") }[...]
                    }
                    // The last one with the tag must fit; its error says what is wrong.
                    let last = options.tag == nil ? nil : all.popLast()
                    self =
                        try all.lazy.compactMap { try? $0.read(decoder) }.first
                        ?? last?.read(decoder) ?? .unknown(JSONValue(from: decoder))
                }
            }

            /// One of several types, which is encoded as the value of its case.
            protocol WrittenOneOf: Encodable, Sendable {}

            extension WrittenOneOf {
                func encode(to encoder: any Encoder) throws {
                    let value = Mirror(reflecting: self).children.first?.value as? any Encodable
                    try value?.encode(to: encoder)
                }
            }

            private struct TagKey: CodingKey {
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
            struct UnknownStatus: Error {
                let status: Int

                init(_ status: Int) { self.status = status }
            }

            """)

    static let dates = Piece(
        mark: ".rfc3339",
        text: """
            extension JSONDecoder.DateDecodingStrategy {
                /// A date of RFC 3339, with and without fractions of a second.
                static let rfc3339 = custom { decoder in
                    let container = try decoder.singleValueContainer()
                    let text = try container.decode(String.self)
                    let styles = [false, true].map {
                        Date.ISO8601FormatStyle(includingFractionalSeconds: $0)
                    }
                    if let date = styles.lazy.compactMap({ try? $0.parse(text) }).first { return date }
                    throw DecodingError.dataCorruptedError(
                        in: container, debugDescription: "The text isn't a date of RFC 3339.")
                }
            }

            extension JSONEncoder.DateEncodingStrategy {
                /// A date of RFC 3339, with fractions of a second where it has any.
                static let rfc3339 = custom { date, encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(try date.pathRepresentation)
                }
            }

            """)

    static let keys = Piece(
        mark: "SnakeCase(except",
        text: """
            extension JSONEncoder.KeyEncodingStrategy {
                /// Snake case, but for these names and their keys.
                static func convertToSnakeCase(except names: [String: String]) -> Self {
                    let others = Dictionary(names.map { ($1, $0) }) { first, _ in first }
                    return custom { path in
                        let key = path[path.count - 1].stringValue
                        return JSONName(stringValue: others[key] ?? key.inSnakeCase)
                    }
                }
            }

            extension JSONDecoder.KeyDecodingStrategy {
                /// Snake case, but for these names and their keys.
                static func convertFromSnakeCase(except names: [String: String]) -> Self {
                    custom { path in
                        let key = path[path.count - 1].stringValue
                        return JSONName(stringValue: names[key] ?? key.inCamelCase)
                    }
                }
            }

            private struct JSONName: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }

                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            extension String {
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
}

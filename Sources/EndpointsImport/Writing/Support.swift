/// What the written models need beside the library: each piece only where it is used.
enum Support {
    struct Piece {
        /// A text that shows that the piece is used.
        let mark: String
        let text: String
    }

    static let pieces = [openEnum, nullable, boxed, day, options, dates, keys]

    /// The pieces that the text uses, also through other pieces.
    static func text(for text: String) -> String {
        let used = pieces.filter { text.contains($0.mark) }
        return used.map(\.text).joined(separator: "\n")
    }

    private static let openEnum = Piece(
        mark: "OrUnknown<",
        text: """
            /// A known value, or one that the server has and this program doesn't know.
            enum OrUnknown<Known: RawRepresentable & Sendable>: Sendable
            where Known.RawValue: Sendable {
                case known(Known)
                case unknown(Unknown)

                /// A value that was decoded. It can't be made otherwise, only sent back.
                struct Unknown: Sendable {
                    let rawValue: Known.RawValue

                    fileprivate init(_ rawValue: Known.RawValue) { self.rawValue = rawValue }
                }

                var rawValue: Known.RawValue {
                    switch self {
                    case .known(let value): value.rawValue
                    case .unknown(let value): value.rawValue
                    }
                }
            }

            extension OrUnknown: Equatable where Known.RawValue: Equatable {
                static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
                static func == (one: Self, other: Known) -> Bool { one.rawValue == other.rawValue }
            }

            extension OrUnknown: Decodable where Known.RawValue: Decodable {
                init(from decoder: any Decoder) throws {
                    let value = try decoder.singleValueContainer().decode(Known.RawValue.self)
                    self = Known(rawValue: value).map { .known($0) } ?? .unknown(Unknown(value))
                }
            }

            extension OrUnknown: Encodable where Known.RawValue: Encodable {
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(rawValue)
                }
            }

            """)

    private static let nullable = Piece(
        mark: "OrNull<",
        text: """
            /// A member that must be there, and may be `null`.
            enum OrNull<Value: Sendable>: Sendable, ExpressibleByNilLiteral {
                case null
                case value(Value)

                init(_ value: Value?) { self = value.map { .value($0) } ?? .null }
                init(nilLiteral: ()) { self = .null }

                var value: Value? {
                    if case .value(let value) = self { value } else { nil }
                }
            }

            extension OrNull: Decodable where Value: Decodable {
                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    self.init(container.decodeNil() ? nil : try container.decode(Value.self))
                }
            }

            extension OrNull: Encodable where Value: Encodable {
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(value)
                }
            }

            """)

    private static let boxed = Piece(
        mark: "Boxed<",
        text: """
            /// A value that may have a value of the same type inside it.
            indirect enum Boxed<Value: Sendable>: Sendable {
                case value(Value)

                init(_ value: Value) { self = .value(value) }

                var value: Value {
                    switch self {
                    case .value(let value): value
                    }
                }
            }

            extension Boxed: Decodable where Value: Decodable {
                init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
            }

            extension Boxed: Encodable where Value: Encodable {
                func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
            }

            """)

    private static let day = Piece(
        mark: "Day",
        text: """
            /// A day without a time, such as `2026-03-01`.
            struct Day: Hashable, Sendable, Codable, PathRepresentable {
                let text: String

                init(_ text: String) { self.text = text }

                /// The day that it is at a date in a time zone.
                init(_ date: Date, in timeZone: TimeZone = .current) {
                    text = date.formatted(
                        Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day())
                }

                init(from decoder: any Decoder) throws {
                    text = try decoder.singleValueContainer().decode(String.self)
                }

                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(text)
                }

                var pathRepresentation: String? { text }
            }

            """)

    private static let options = Piece(
        mark: "OneOf {",
        text: """
            /// A value of one of several types.
            typealias OneOf = ReadOneOf & WrittenOneOf

            /// One of several types, which is decoded by its tag, or as the first option that fits.
            protocol ReadOneOf: Decodable, Sendable {
                static var tag: String? { get }
                static var options: [Option<Self>] { get }
                static func unknown(_ value: JSONValue) -> Self
            }

            struct Option<Choice> {
                let tags: [String]
                let read: (any Decoder) throws -> Choice

                init<Value: Decodable>(_ tags: String..., as make: @escaping (Value) -> Choice) {
                    self.tags = tags
                    read = { make(try Value(from: $0)) }
                }
            }

            extension ReadOneOf {
                static var tag: String? { nil }

                init(from decoder: any Decoder) throws {
                    if let tag = Self.tag {
                        let container = try decoder.container(keyedBy: Key.self)
                        let key = Key(stringValue: tag)
                        let text = try container.decodeIfPresent(String.self, forKey: key)
                        let option = Self.options.first { $0.tags.contains(text ?? "") }
                        self = try option?.read(decoder) ?? .unknown(try JSONValue(from: decoder))
                        return
                    }
                    for option in Self.options {
                        guard let value = try? option.read(decoder) else { continue }
                        self = value
                        return
                    }
                    self = .unknown(try JSONValue(from: decoder))
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

            private struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }

                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            """)

    private static let dates = Piece(
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

    private static let keys = Piece(
        mark: "SnakeCase(except",
        text: """
            extension JSONEncoder.KeyEncodingStrategy {
                /// Snake case, but for these names.
                static func convertToSnakeCase(except names: Set<String>) -> Self {
                    custom { path in
                        let key = path[path.count - 1].stringValue
                        return Name(stringValue: names.contains(key) ? key : key.inSnakeCase)
                    }
                }
            }

            extension JSONDecoder.KeyDecodingStrategy {
                /// Snake case, but for these names.
                static func convertFromSnakeCase(except names: Set<String>) -> Self {
                    custom { path in
                        let key = path[path.count - 1].stringValue
                        return Name(stringValue: names.contains(key) ? key : key.inCamelCase)
                    }
                }
            }

            private struct Name: CodingKey {
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

/// What the written models need beside the library: each piece only where it is used.
enum Support {
    struct Piece: Sendable {
        /// A text that shows that the piece is used.
        let mark: String
        let text: Written
    }

    static var pieces: [Piece] {
        [
            serverURL,
            openEnum, nullable, boxed, day, dateFormat, options, statuses, keys, formKeys,
            pascalKeys, pascalFormKeys, jsonName, inJSON,
            namesAndValues, assignments, members,
        ]
    }

    /// The pieces that the text uses, also through other pieces.
    static func text(for text: String) -> Written {
        var used: [Piece] = []
        var whole = text
        for piece in pieces where whole.uses(piece.mark) {
            used.append(piece)
            whole += piece.text.text
        }
        guard let last = used.last else { return "" }
        let parts = used.dropLast().map(\.text) + [.part(last.text.text.dropLast(), of: last.text)]
        return parts.joined(separator: "\n")
    }

    static let serverURL = Piece(
        mark: "(baseUrl: .server(",
        text: """
            extension URL {
                /// The URL of a server with values in place of its variables.
                /// - Throws: An `UnrepresentableValue` if a value would end the part that it is in.
                nonisolated static func server(
                    _ origin: String = "", then rest: String = "", at host: URL? = nil
                ) throws -> URL {
                    let name = origin.components(separatedBy: "://").dropFirst().joined(separator: "/")
                    let url = URL(string: origin + rest, relativeTo: host)?.absoluteURL
                    guard name.allSatisfy({ $0.isLetter || $0.isNumber || "-._:".contains($0) }),
                        !".\\(name)".contains(".."),
                        origin.isEmpty || rest.isEmpty || rest.hasPrefix("/"),
                        !rest.contains(where: { $0.isWhitespace || "?#\\\\".contains($0) }),
                        let url, let found = url.host, !found.isEmpty, host == nil || found == host?.host
                    else {
                        throw UnrepresentableValue(
                            "`\\(origin)\\(rest)` isn't the URL of this server: correct its variables")
                    }
                    return url
                }
            }

            """)

    static let openEnum = Piece(
        mark: "OrUnknown<",
        text: """
            /// A known value, or one that the server has and this program doesn't know.
            nonisolated enum OrUnknown<Known: RawRepresentable & Sendable>: Sendable
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

            nonisolated extension OrUnknown: Equatable where Known.RawValue: Equatable {
                static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
                static func == (one: Self, other: Known) -> Bool { one.rawValue == other.rawValue }
            }

            nonisolated extension OrUnknown: Decodable where Known.RawValue: Decodable {
                init(from decoder: any Decoder) throws {
                    let value = try decoder.singleValueContainer().decode(Known.RawValue.self)
                    self = Known(rawValue: value).map { .known($0) } ?? .unknown(Unknown(value))
                }
            }

            nonisolated extension OrUnknown: Encodable where Known.RawValue: Encodable {
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(rawValue)
                }
            }

            """)

    static let nullable = Piece(
        mark: "OrNull<",
        text: """
            /// A member that must be there, and may be `null`.
            nonisolated enum OrNull<Value>: ExpressibleByNilLiteral {
                case null
                case value(Value)

                init(_ value: Value?) { self = value.map { .value($0) } ?? .null }
                init(nilLiteral: ()) { self = .null }

                var value: Value? {
                    if case .value(let value) = self { value } else { nil }
                }
            }

            nonisolated extension OrNull: Sendable where Value: Sendable {}

            nonisolated extension OrNull: Decodable where Value: Decodable {
                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    self.init(container.decodeNil() ? nil : try container.decode(Value.self))
                }
            }

            nonisolated extension OrNull: Encodable where Value: Encodable {
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(value)
                }
            }

            """)

    static let boxed = Piece(
        mark: "Boxed<",
        text: """
            /// A value that may have a value of the same type inside it.
            nonisolated indirect enum Boxed<Value> {
                case value(Value)

                init(_ value: Value) { self = .value(value) }

                var value: Value {
                    switch self {
                    case .value(let value): value
                    }
                }
            }

            nonisolated extension Boxed: Sendable where Value: Sendable {}

            nonisolated extension Boxed: Decodable where Value: Decodable {
                init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
            }

            nonisolated extension Boxed: Encodable where Value: Encodable {
                func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
            }

            """)

    static let dateFormat = Piece(
        mark: "RFC3339Format()",
        text: """
            /// A date of RFC 3339, as the document says, where HTTP has another format.
            nonisolated struct RFC3339Format: FormatStyle {
                func format(_ value: Date) -> String { (try? value.pathRepresentation) ?? "" }
            }

            """)

    static let day = Piece(
        mark: "Day",
        text: """
            /// A day without a time, such as `2026-03-01`.
            nonisolated struct Day: Hashable, Sendable, Codable, PathRepresentable {
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
}

extension String {
    /// Whether the text has a mark; of one that is a word, the whole word.
    fileprivate func uses(_ mark: String) -> Bool {
        mark.allSatisfy(\.isLetter) ? hasWord(mark) : has(mark)
    }
}

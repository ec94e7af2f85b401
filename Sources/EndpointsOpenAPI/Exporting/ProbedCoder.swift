import Endpoints
import EndpointsDocuments
import EndpointsFormats
import Foundation

/// How a request's encoder or decoder writes keys, dates and data.
struct ProbedCoder {
    /// The same for two coders that write types in the same way.
    let identity: String
    /// Whether values are written, not read.
    let writes: Bool
    /// The name on the wire of a key that a type uses.
    let name: (any CodingKey) -> String
    /// The schema of a date; the probe is passed for a strategy of the program's own.
    let date: (SchemaProbe) -> JSONValue
    let data: JSONValue

    static let dateTime = JSONValue.type("string", format: "date-time")
    private static let base64 = JSONValue.type("string", format: "byte")
    private static let bytes = JSONValue.list(of: .type("integer"))

    init(_ encoder: JSONEncoder) {
        let (keys, dates) = (encoder.keyEncodingStrategy, encoder.dateEncodingStrategy)
        writes = true
        name = { Self.name(of: $0, keys) }
        if case .custom(let encode) = dates {
            date = { probe in
                let value = ProbedValue()
                try? encode(Date(timeIntervalSince1970: 0), probe.encoder(to: value))
                return Self.date(value.schema, value.text)
            }
        } else {
            date = { _ in Self.date(dates) }
        }
        data =
            switch encoder.dataEncodingStrategy {
            case .base64: Self.base64
            case .deferredToData: Self.bytes
            case .custom: .free
            }
        identity = Self.identity(of: encoder, [keys, dates, encoder.dataEncodingStrategy])
    }

    /// - Parameter encoder: The request's own encoder. Its custom key strategy, if any, says which
    ///   names the decoder's converts.
    init(_ decoder: JSONDecoder, with encoder: JSONEncoder?) {
        let (keys, dates) = (decoder.keyDecodingStrategy, decoder.dateDecodingStrategy)
        writes = false
        let known = encoder?.keyEncodingStrategy
        name = { key in
            switch keys {
            case .convertFromSnakeCase:
                let name = key.stringValue.inSnakeCase
                return name.inCamelCase == key.stringValue ? name : key.stringValue
            case .custom(let convert):
                let names =
                    [known.map { Self.name(of: key, $0) }].compactMap(\.self)
                    + key.stringValue.spellings
                return names.first(where: {
                    convert([ProbedKey($0)]).stringValue == key.stringValue
                }) ?? key.stringValue
            default: return key.stringValue
            }
        }
        if case .custom(let decode) = dates {
            date = { probe in
                var value = ProbedValue()
                for text in [dateTimeText, dayText] {
                    value = ProbedValue()
                    if (try? decode(probe.decoder(of: value, text))) != nil {
                        return Self.date(value.schema, text)
                    }
                }
                return Self.date(value.schema, nil)
            }
        } else {
            date = { _ in Self.date(dates) }
        }
        data =
            switch decoder.dataDecodingStrategy {
            case .base64: Self.base64
            case .deferredToData: Self.bytes
            case .custom: .free
            }
        identity = Self.identity(of: decoder, [keys, dates, decoder.dataDecodingStrategy])
    }

    /// The schema of a date in a strategy that isn't the program's own.
    private static func date(_ strategy: Any) -> JSONValue {
        switch "\(strategy)".prefix(while: { $0 != "(" }) {
        case "iso8601": dateTime
        case "formatted": .type("string")
        default: .type("number")
        }
    }

    /// The schema of a date in a strategy of the program's own, which reads or writes a text.
    private static func date(_ schema: JSONValue, _ text: String?) -> JSONValue {
        let isText = schema["type"].map { ($0.elements ?? [$0]).contains(.string("string")) }
        guard isText == true else { return schema }
        guard let text else { return .type("string") }
        let shape = text.map { $0.isNumber ? "0" : $0 }
        if String(shape).hasPrefix("0000-00-00T") { return dateTime }
        return .type("string", format: String(shape) == "0000-00-00" ? "date" : nil)
    }

    private static func name(
        of key: any CodingKey, _ strategy: JSONEncoder.KeyEncodingStrategy
    ) -> String {
        switch strategy {
        case .convertToSnakeCase: key.stringValue.inSnakeCase
        case .custom(let convert): convert([key]).stringValue
        default: key.stringValue
        }
    }

    /// Two coders with strategies of the program's own can't be compared.
    private static func identity(of coder: AnyObject, _ strategies: [Any]) -> String {
        let texts = strategies.map { String(describing: $0) }
        guard texts.contains(where: { $0.contains("custom") || $0.contains("formatted") }) else {
            return texts.joined(separator: " ")
        }
        return "\(ObjectIdentifier(coder))"
    }
}

extension String {
    /// `imageURL` -> `image_url`, as `JSONEncoder` converts it.
    var inSnakeCase: String { SnakeCase.snake(self) }

    /// `image_url` -> `imageUrl`, as `JSONDecoder` converts it.
    var inCamelCase: String { SnakeCase.camel(self) }

    /// Names that a strategy may convert to this one.
    fileprivate var spellings: [String] {
        let snake = inSnakeCase
        return [
            snake, snake.replacingOccurrences(of: "_", with: "-"),
            prefix(1).uppercased() + dropFirst(),
            snake.uppercased(), self,
        ]
    }
}

private let (dateTimeText, dayText) = ("2026-03-01T10:00:00Z", "2026-03-01")

struct ProbedKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

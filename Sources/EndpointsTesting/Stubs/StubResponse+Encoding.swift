import Endpoints
import Foundation

extension StubResponse {
    /// A response with a value as a decoder reads it.
    static func encoded(
        _ value: some Encodable, for decoder: Any, _ status: Int?,
        _ headers: [Headers: String], _ encoder: (any EncoderType)?
    ) -> StubResponse {
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped as? any Encodable else {
                return .status(status ?? 204, headers: headers)
            }
            return encoded(wrapped, for: decoder, status, headers, encoder)
        }
        let status = status ?? 200
        do {
            switch value {
            case let data as Data: return .data(data, status: status, headers: headers)
            case let text as String:
                return .data(Data(text.utf8), status: status, headers: headers)
            case is EmptyResponse: return .status(status, headers: headers)
            default:
                let whole =
                    (decoder as? any NestingDecoder)?.whole ?? (decoder: decoder, keys: [])
                let encoder = try encoder ?? mirror(of: whole.decoder)
                let data = try encoder.encode(Under(keys: whole.keys[...], value: value))
                let type = encoder.contentType?.rawValue
                let fields = type.map { ["Content-Type": $0] as [Headers: String] } ?? [:]
                return .data(
                    data, status: status, headers: fields.merging(headers) { $1 })
            }
        } catch {
            return .throwing(error)
        }
    }

    private static func mirror(of decoder: Any) throws -> any EncoderType {
        switch decoder {
        case let json as JSONDecoder:
            if let encoder = JSONEncoder(mirroring: json) { return encoder }
        case is PropertyListDecoder: return PropertyListEncoder()
        default: break
        }
        throw StubError.notEncodable(Request.self, by: decoder)
    }
}

extension JSONEncoder {
    /// An encoder with the strategies of a decoder; `nil` if the decoder has a custom strategy or a
    /// date formatter.
    fileprivate convenience init?(mirroring decoder: JSONDecoder) {
        self.init()
        switch decoder.keyDecodingStrategy {
        // `convertFromSnakeCase` doesn't change a key that has no underscores, so the encoder keeps
        // keys as they are. `convertToSnakeCase` is not the reverse: it would encode `imageURL` as
        // `image_url`, which would be decoded as `imageUrl`.
        case .useDefaultKeys, .convertFromSnakeCase: break
        default: return nil
        }
        switch decoder.dateDecodingStrategy {
        case .deferredToDate: break
        case .secondsSince1970: dateEncodingStrategy = .secondsSince1970
        case .millisecondsSince1970: dateEncodingStrategy = .millisecondsSince1970
        case .iso8601: dateEncodingStrategy = .iso8601
        default: return nil
        }
        switch decoder.dataDecodingStrategy {
        case .base64: break
        case .deferredToData: dataEncodingStrategy = .deferredToData
        default: return nil
        }
        switch decoder.nonConformingFloatDecodingStrategy {
        case .convertFromString(let positive, let negative, let nan):
            nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        default: break
        }
    }
}

/// A value under the keys of a ``NestedDecoder``: `{"data": {"user": value}}`.
private struct Under<Value: Encodable>: Encodable {
    let keys: ArraySlice<String>
    let value: Value

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        guard let key = keys.first else {
            var container = encoder.singleValueContainer()
            return try container.encode(value)
        }
        var container = encoder.container(keyedBy: Key.self)
        let inner = Under(keys: keys.dropFirst(), value: value)
        try container.encode(inner, forKey: Key(stringValue: key))
    }
}

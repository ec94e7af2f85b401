import Endpoints
import EndpointsFormats
import Foundation

/// A value's form as a text, with the brackets that are escaped in its names put back.
func form(_ value: some Encodable, _ encoder: FormEncoder = FormEncoder()) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
        .replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
}

/// A key with any name, such as `CodingKeys` has none.
struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral text: String) { stringValue = text }
    init?(intValue: Int) { nil }
}

/// A value that a function encodes.
struct Encoded: Encodable, Sendable {
    let encode: @Sendable (any Encoder) throws -> Void

    init(_ encode: @escaping @Sendable (any Encoder) throws -> Void) { self.encode = encode }

    func encode(to encoder: any Encoder) throws { try encode(encoder) }
}

import Endpoints
import EndpointsFormats
import Foundation

/// Values that types are decoded from in a probe, and the schemas of the types that they have.
enum MadeUpValue {
    /// Texts, one of which most types can be read from.
    static let texts = [
        "1", "2026-03-01T10:00:00Z", "2026-03-01", "https://example.com/1",
        "00000000-0000-4000-8000-000000000001", "a@example.com", "true", "#000000", "en", "",
    ]
    /// A text that no enum has as a value.
    static let impossible = "\u{2}impossible\u{3}"
    private static let impossibleNumber = -739_391

    /// Any type but `Date` and `Data`, which each coder writes in its own way.
    static let schemas: [ObjectIdentifier: JSONValue] = {
        var schemas: [ObjectIdentifier: JSONValue] = [
            ObjectIdentifier(String.self): .type("string"),
            ObjectIdentifier(Substring.self): .type("string"),
            ObjectIdentifier(Character.self): .type("string"),
            ObjectIdentifier(Bool.self): .type("boolean"),
            ObjectIdentifier(URL.self): .type("string", format: "uri"),
            ObjectIdentifier(UUID.self): .type("string", format: "uuid"),
            ObjectIdentifier(File.self): .type("string", format: "binary"),
            ObjectIdentifier(JSONValue.self): .free,
            ObjectIdentifier(EmptyResponse.self): .free,
        ]
        let integers: [Any.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
            UInt16.self, UInt32.self, UInt64.self,
        ]
        for type in integers { schemas[ObjectIdentifier(type)] = .type("integer") }
        let numbers: [Any.Type] = [Double.self, Float.self, CGFloat.self, Decimal.self]
        for type in numbers { schemas[ObjectIdentifier(type)] = .type("number") }
        return schemas
    }()

    static func value(of type: Any.Type, _ text: String) -> Any? {
        let number = text == impossible ? impossibleNumber : 1
        if let type = type as? any FixedWidthInteger.Type { return integer(type, number) }
        if let type = type as? any BinaryFloatingPoint.Type { return float(type, number) }
        switch type {
        case is String.Type: return text
        case is Bool.Type: return true
        case is Date.Type: return Date(timeIntervalSince1970: 0)
        case is Data.Type: return Data()
        case is URL.Type: return URL(string: "https://example.com/")
        case is UUID.Type: return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        case is Decimal.Type: return Decimal(number)
        case is JSONValue.Type: return JSONValue.null
        case is EmptyResponse.Type: return EmptyResponse()
        default: return nil
        }
    }

    private static func integer<Number: FixedWidthInteger>(
        _ type: Number.Type, _ number: Int
    ) -> Any { Number(truncatingIfNeeded: number) }

    private static func float<Number: BinaryFloatingPoint>(
        _ type: Number.Type, _ number: Int
    ) -> Any { Number(number) }
}

import Endpoints
import EndpointsShared

/// A member of a header whose value is a list or a dictionary (RFC 9651, sections 3.1 and 3.2).
///
///     "hour";r=50;t=30   ->  name hour, parameters r=50 and t=30
///     remaining=50       ->  name remaining, value 50
///     100;w=60           ->  name 100, parameter w=60
struct FieldMember {
    let name: String
    let value: String?
    let parameters: [String: String]

    /// The members of a header's value; `nil` if one of them has no name, or has other text after a
    /// quoted string. Other mistakes, such as a missing closing quote, are accepted.
    static func list(_ field: String) -> [FieldMember]? {
        var scanner = FieldScanner(field)
        var members: [FieldMember] = []
        repeat {
            scanner.skipBlanks()
            let name =
                scanner.quotedString()
                ?? scanner.text(before: .equals, .semicolon, .comma).trimmingBlanks
            let value = scanner.skip(.equals) ? scanner.value() : nil
            let parameters = Dictionary(scanner.parameters()) { _, last in last }
            guard !name.isEmpty, scanner.isAtEnd || scanner.next == .comma else { return nil }
            members.append(FieldMember(name: name, value: value, parameters: parameters))
        } while scanner.skip(.comma)
        return members
    }
}

import Endpoints
import EndpointsShared
import Foundation

/// The directives of a `Cache-Control` header (RFC 9111, section 5.2), by their names in lower
/// case.
///
///     max-age=60, no-cache="Set-Cookie"   ->   max-age: 60, no-cache: Set-Cookie
///
/// A directive that comes twice counts as it came first (section 4.2.1). A directive whose name
/// isn't a token, as in `max-age =60`, is unknown.
struct CacheDirectives: Sendable {
    private var values: [String: String] = [:]

    init(_ text: String?) {
        guard let text else { return }
        var scanner = FieldScanner(text)
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            var name = scanner.text(before: .equals, .comma).lowercased()
            var value = ""
            if scanner.skip(.equals) {
                value = scanner.quotedString() ?? scanner.text(before: .comma).trimmingEnd
            } else {
                name = name.trimmingBlanks
            }
            _ = (scanner.text(before: .comma), scanner.skip(.comma))
            if !name.isEmpty, !contains(name) { values[name] = value }
        }
    }

    var isEmpty: Bool { values.isEmpty }

    func contains(_ name: String) -> Bool { values[name] != nil }

    /// The value of a directive, which is empty if it has none; `nil` without the directive.
    subscript(name: String) -> String? { values[name] }

    /// The seconds of a directive: `nil` if there is none, and 0 if its value isn't a number of
    /// seconds, so that a response with it counts as stale (section 4.2.1).
    func seconds(_ name: String) -> TimeInterval? {
        self[name].map { Self.seconds(of: $0) ?? 0 }
    }

    /// A number of seconds (section 1.2.2); more than 2^31 count as 2^31.
    static func seconds(of text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(TimeInterval(text) ?? .infinity, 0x1p31)
    }

    /// The field names that a directive lists, in lower case, as in `no-cache="a, b"`; `nil` if it
    /// lists none.
    func fieldNames(_ name: String) -> [String]? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value.split(separator: ",").map { $0.lowercased().trimmingBlanks }
    }
}

extension String {
    /// This text without blanks at its end.
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

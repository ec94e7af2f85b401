import Endpoints
import EndpointsShared
import Foundation

/// The request's header fields that a response was chosen by (RFC 9111, section 4.1).
struct SelectingFields: Sendable, Equatable {
    /// The names, in lower case and in order, and the request's values.
    let fields: [(name: String, value: String?)]
    /// Whether no later request is known to select the response: for `Vary: *`, and for a `Cookie`
    /// that the request doesn't show, because the session may add one.
    let matchesNothing: Bool

    init(fields: [(name: String, value: String?)], matchesNothing: Bool) {
        self.fields = fields
        self.matchesNothing = matchesNothing
    }

    init(vary: String?, of request: [String: String]) {
        let names = Set(
            (vary ?? "").split(separator: ",").map { $0.lowercased().trimmingBlanks }
        ).subtracting([""])
        fields = names.sorted().map { ($0, Self.value(of: $0, in: request)) }
        matchesNothing =
            names.contains("*") || fields.contains { $0.name == "cookie" && $0.value == nil }
    }

    func match(_ request: [String: String]) -> Bool {
        !matchesNothing
            && fields.allSatisfy { field in
                let value = Self.value(of: field.name, in: request)
                guard let value, let own = field.value else { return value == field.value }
                return value.hasSameBytes(as: own)
            }
    }

    /// A text that differs for different selecting fields.
    var text: String {
        fields.map { "\($0.name):\($0.value.map { "=\($0)" } ?? "")" }.joined(separator: "\n")
    }

    /// A value without blanks around its members, in which fields may differ without a meaning.
    private static func value(of name: String, in request: [String: String]) -> String? {
        guard let value = request.first(where: { ResponseFields.areEqual($0.key, name) })?.value
        else { return nil }
        guard value.utf8.contains(.comma) else { return value.trimmingBlanks }
        return value.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).trimmingBlanks }.joined(separator: ",")
    }

    static func == (left: SelectingFields, right: SelectingFields) -> Bool {
        left.matchesNothing == right.matchesNothing && left.text == right.text
    }
}

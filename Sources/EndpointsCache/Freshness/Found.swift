import Endpoints
import Foundation

/// The stored responses of a place, and the one for a request.
struct Found: Sendable {
    typealias Entry = (name: EntryName, response: StoredResponse)

    let all: [Entry]
    /// Those that the request selects (RFC 9111, section 4.1).
    let matching: [Entry]
    /// The newest of these.
    let selected: Entry?

    init(_ all: [Entry], _ fields: [String: String]) {
        self.all = all
        matching = all.filter { $0.response.selecting.match(fields) }
        selected = matching.max { $0.response.arrived < $1.response.arrived }
    }

    /// The headers that ask whether a stored response is valid (section 4.3.1): of the selected
    /// one, or else the entity tags of the others.
    var validators: [(name: String, value: String)] {
        if let selected { return selected.response.validators }
        let tags = all.compactMap { $0.response.fields["ETag"] }
        return tags.isEmpty ? [] : [("If-None-Match", Set(tags).sorted().joined(separator: ", "))]
    }

    /// The stored response that a 304 says is valid (section 4.3.4); `nil` if it isn't known which.
    func validated(by fields: ResponseFields) -> Entry? {
        let tag = fields["ETag"]
        if let selected {
            let own = selected.response.fields["ETag"]
            if tag == nil || own == nil || tag?.opaque == own?.opaque { return selected }
        }
        guard let tag else { return all.count == 1 ? all.first : nil }
        return all.first { $0.response.fields["ETag"]?.opaque == tag.opaque }
    }
}

extension String {
    /// An entity tag without its `W/` (RFC 9110, section 8.8.3.2).
    fileprivate var opaque: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}

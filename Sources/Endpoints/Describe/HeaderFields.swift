/// Headers in a dictionary, by name: an environment's `headers`, a request's `commonHeaders`, and
/// the `contentsOf:` of a ``HeaderList``.
///
///     var commonHeaders: [Headers: String] { [.userAgent: "tool/1.0"] }
///
/// A name is a ``Headers``, a `String` or another value with a `description`. A value is
/// ``PathRepresentable``, such as `Int?`, and `nil` leaves its header out. A request or an
/// environment doesn't compile if the type of its headers doesn't conform to this protocol.
public protocol HeaderFields: SendableMetatype {
    /// Each header's name and text. A `nil` text adds no header, and removes a header of the same
    /// name that was added before: a default, or a header of the environment, for example.
    ///
    /// - Throws: An error if a value can't be written as text, or if two names differ only in case.
    var headerTexts: [HeaderText] { get throws }
}

/// A header's name and text.
public typealias HeaderText = (name: Headers, text: String?)

extension Dictionary: HeaderFields where Key: CustomStringConvertible, Value: PathRepresentable {
    /// Each header's name and text.
    public var headerTexts: [HeaderText] {
        get throws {
            guard !isEmpty else { return [] }
            var texts: [Headers: String?] = Dictionary<Headers, String?>(minimumCapacity: count)
            for (key, value) in self {
                let name = key as? Headers ?? Headers(name: key.description)
                if texts.updateValue(try name.text(of: value), forKey: name) != nil {
                    let reason = "is given twice, in names that differ only in case; remove one"
                    throw FieldError(.header(name.name), reason)
                }
            }
            return texts.map { ($0, $1) }
        }
    }
}

extension Headers {
    fileprivate func text(of value: some PathRepresentable) throws(FieldError) -> String? {
        do { return try value.pathRepresentation } catch {
            throw FieldError(.header(name), unrepresentableBecauseOf: error)
        }
    }
}

/// Headers that are known only at run time: a dictionary of names and values.
///
///     var additionalHeaders: [Headers: String] { [.userAgent: "tool/1.0"] }
///
/// A name is a ``Headers`` or a `String`, and a value is ``PathRepresentable``, such as `Int?`. A
/// `nil` value leaves its header out. A request or an environment whose headers have another type
/// doesn't compile.
public protocol HeaderFields {
    /// Each header's name and text; a header whose text is `nil` is left out.
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

import Foundation

/// The value of a header.
///
///     headers: [
///         "X-Type": .field(path: \.type),                        // type == 3  ->  X-Type: 3
///         .keepAlive: .fieldValue(value: "timeout=5, max=1000")
///     ]
///
/// A `nil` value leaves the header out, and an empty value is sent. Spaces and tabs around a value
/// are removed (RFC 9110, section 5.5). Any control character but a tab is an ``EndpointError``.
public struct HeaderField<Root>: Sendable {
    let source: ValueSource

    /// A value that is read from the request's header values.
    ///
    ///     "X-Type": .field(path: \.type)   // type == 3  ->  X-Type: 3
    public static func field<Value: PathRepresentable>(
        path: consuming KeyPath<Root, Value> & Sendable
    ) -> HeaderField {
        HeaderField(source: ValueSource(text: path))
    }

    /// A list, sent as one header with commas between the elements (RFC 9110, section 5.6.1).
    ///
    ///     .ifNoneMatch: .field(path: \.tags)   // ["\"a\"", "\"b\""]  ->  If-None-Match: "a", "b"
    ///
    /// An empty list leaves the header out, and a `nil` element is left out. An element that is
    /// empty, or that has a comma outside quotes or an unclosed quote, is an ``EndpointError``.
    public static func field<Element: PathRepresentable>(
        path: consuming KeyPath<Root, [Element]> & Sendable
    ) -> HeaderField {
        HeaderField(source: ValueSource(path) { .one(try $0.headerText) })
    }

    /// An optional list, sent like a list; `nil` leaves the header out.
    public static func field<Element: PathRepresentable>(
        path: consuming KeyPath<Root, [Element]?> & Sendable
    ) -> HeaderField {
        HeaderField(source: ValueSource(path) { .one(try $0?.headerText) })
    }

    /// A value that is read from the request's header values and written in a format.
    public static func field<Format: ParameterFormat>(
        path: consuming KeyPath<Root, Format.FormatInput> & Sendable, format: Format
    ) -> HeaderField where Format.FormatOutput == String {
        HeaderField(source: ValueSource(path, format))
    }

    /// An optional value that is written in a format; `nil` leaves the header out.
    public static func field<Format: ParameterFormat>(
        path: consuming KeyPath<Root, Format.FormatInput?> & Sendable, format: Format
    ) -> HeaderField where Format.FormatOutput == String {
        HeaderField(source: ValueSource(path, format))
    }

    /// A value that is the same in every request.
    ///
    ///     .accept: .fieldValue(value: MIMEType.json)   // ->  Accept: application/json
    ///     .accept: "application/json"                  // the same
    public static func fieldValue(value: some PathRepresentable) -> HeaderField {
        HeaderField(source: ValueSource(text: value))
    }
}

extension Array where Element: PathRepresentable {
    fileprivate var headerText: String? {
        get throws {
            let texts = try compactMap { try $0.pathRepresentation }
            for text in texts where text.isEmpty || text.hasCommaOutsideQuotes {
                throw UnrepresentableValue(
                    """
                    an element of the list is empty, or has a comma outside quotes or an unclosed \
                    quote; leave out empty elements, put commas in quotes, and close each quote
                    """)
            }
            return texts.isEmpty ? nil : texts.joined(separator: ", ")
        }
    }
}

extension String {
    /// Whether a comma is outside quotes, or a quote isn't closed (RFC 9110, section 5.6.4).
    fileprivate var hasCommaOutsideQuotes: Bool {
        var (isQuoted, isEscaped) = (false, false)
        for byte in utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if byte == UInt8(ascii: ",") && !isQuoted {
                return true
            }
        }
        return isQuoted
    }
}

extension HeaderField: ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    /// A value that is the same in every request: `[.accept: "application/vnd.github+json"]`.
    public init(stringLiteral value: String) {
        self = .fieldValue(value: value)
    }

    /// Leaves out the header, even a default of the library or one of the environment's `headers`:
    /// `[.accept: nil]`. ``Transport/authorized(by:header:clock:)`` doesn't add it either, so
    /// `[.authorization: nil]` is for a request without a token, such as that of a sign-in.
    /// `URLSession` may still add a default of its own, such as `Accept: */*`.
    public init(nilLiteral: ()) {
        self = .fieldValue(value: String?.none)
    }
}

/// The headers of an endpoint, in the order in which they are declared.
///
/// If a name is declared twice, the last header is sent, and ``Endpoint/problems`` has a warning.
public struct HeaderList<Root>: Sendable, ExpressibleByDictionaryLiteral {
    let headers: [(name: Headers, field: HeaderField<Root>)]
    /// The properties that have headers whose names are known only at run time.
    private(set) var contents: [ValueSource] = []

    /// A list of headers.
    public init(dictionaryLiteral headers: (Headers, HeaderField<Root>)...) {
        self.headers = headers.map { ($0, $1) }
    }

    /// A list of headers, and after them those in a property, whose names are known only at run
    /// time.
    ///
    ///     headers: HeaderList([.accept: "image/png"], contentsOf: \.extra)
    ///     // extra == ["X-Trace": "1"]  ->  Accept: image/png and X-Trace: 1
    ///
    /// The headers in the property replace all other headers of the same name, and are checked like
    /// declared ones. For a `nil` value, the `URLRequest` has no header of that name, not even a
    /// declared one. The transport may still add one: `URLSession` adds `Accept: */*`, and
    /// ``Transport/authorized(by:header:clock:)`` adds `Authorization`.
    public init<Fields: HeaderFields>(
        _ headers: HeaderList = [:], contentsOf path: consuming KeyPath<Root, Fields> & Sendable
    ) {
        self.headers = headers.headers
        contents = headers.contents + [ValueSource(headers: path)]
    }

    /// A list of the headers in a dictionary, sorted by name.
    public init(_ headers: [Headers: HeaderField<Root>]) {
        self.headers = headers.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value) }
    }
}

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

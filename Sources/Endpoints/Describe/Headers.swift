import Foundation

/// The name of a header.
///
///     extension Headers {
///         static let apiKey: Headers = "X-Api-Key"
///     }
///     // headers: [.apiKey: .field(path: \.key)], or ["X-Api-Key": .field(path: \.key)]
///
/// Names that differ only in upper and lower case are equal (RFC 9110, section 5.1). If a name
/// isn't a token (section 5.6.2), making the `URLRequest` throws an ``EndpointError``.
public struct Headers: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was written.
    public let name: String

    /// Makes a header's name.
    public init(name: String) {
        self.name = name
    }

    /// Makes a header's name.
    public init(stringLiteral name: String) {
        self.init(name: name)
    }

    /// The same text as ``name``.
    public var description: String { name }
}

extension Headers: Hashable {
    /// Whether two names are the same, ignoring case.
    @inline(never)
    public static func == (left: Headers, right: Headers) -> Bool {
        let (left, right) = (left.name.utf8, right.name.utf8)
        return left.count == right.count && zip(left, right).allSatisfy { $0.folded == $1.folded }
    }

    /// Hashes the name, ignoring case.
    @inline(never)
    public func hash(into hasher: inout Hasher) {
        // FNV-1a: a hash of each byte by the hasher would take several times as long.
        hasher.combine(
            name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
                (hash ^ UInt64(byte.folded)) &* 0x100_0000_01B3
            })
    }
}

extension UInt8 {
    /// An ASCII letter in lower case; any other byte as it is.
    fileprivate var folded: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension Headers {
    /// The media types that the client reads (RFC 9110, section 12.5.1).
    public static var accept: Headers { "Accept" }
    /// The charsets that the client reads (RFC 9110, section 12.5.2).
    public static var acceptCharset: Headers { "Accept-Charset" }
    /// The content codings that the client reads (RFC 9110, section 12.5.3).
    public static var acceptEncoding: Headers { "Accept-Encoding" }
    /// The languages that the user reads (RFC 9110, section 12.5.4).
    public static var acceptLanguage: Headers { "Accept-Language" }
    /// The client's credentials (RFC 9110, section 11.6.2); see ``Credentials``.
    public static var authorization: Headers { "Authorization" }
    /// What caches may do (RFC 9111, section 5.2).
    public static var cacheControl: Headers { "Cache-Control" }
    /// The codings of the body (RFC 9110, section 8.4).
    public static var contentEncoding: Headers { "Content-Encoding" }
    /// The languages of the body (RFC 9110, section 8.5).
    public static var contentLanguage: Headers { "Content-Language" }
    /// The media type of the body (RFC 9110, section 8.3); see ``MIMEType``.
    public static var contentType: Headers { "Content-Type" }
    /// Cookies (RFC 6265, section 4.2). A `URLSession` sends this header instead of its own
    /// cookies.
    public static var cookie: Headers { "Cookie" }
    /// When the message was created (RFC 9110, section 6.6.1).
    public static var date: Headers { "Date" }
    /// What the server must support for this request (RFC 9110, section 10.1.1).
    public static var expect: Headers { "Expect" }
    /// The client, and the proxies that forwarded the request (RFC 7239, section 4).
    public static var forwarded: Headers { "Forwarded" }
    /// The email address of the client's user (RFC 9110, section 10.1.2).
    public static var from: Headers { "From" }
    /// A key by which a server recognizes a repeated request.
    public static var idempotencyKey: Headers { "Idempotency-Key" }
    /// Carry out the request only if one of these entity tags matches (RFC 9110, section 13.1.1).
    public static var ifMatch: Headers { "If-Match" }
    /// Send the resource only if it has changed since this date (RFC 9110, section 13.1.3).
    public static var ifModifiedSince: Headers { "If-Modified-Since" }
    /// Carry out the request only if none of these entity tags matches (RFC 9110, section 13.1.2).
    public static var ifNoneMatch: Headers { "If-None-Match" }
    /// Ignore `Range` unless this entity tag or date still matches (RFC 9110, section 13.1.5).
    public static var ifRange: Headers { "If-Range" }
    /// Carry out the request only if nothing changed since this date (RFC 9110, section 13.1.4).
    public static var ifUnmodifiedSince: Headers { "If-Unmodified-Since" }
    /// Parameters of a persistent connection (RFC 2068, section 19.7.1.1).
    public static var keepAlive: Headers { "Keep-Alive" }
    /// The origin of a cross-origin request (RFC 6454, section 7).
    public static var origin: Headers { "Origin" }
    /// How the server should respond (RFC 7240, section 2).
    public static var prefer: Headers { "Prefer" }
    /// Credentials for a proxy (RFC 9110, section 11.7.2).
    public static var proxyAuthorization: Headers { "Proxy-Authorization" }
    /// The requested part of the resource (RFC 9110, section 14.2).
    ///
    /// A request with a `Range` and without an `Accept-Encoding` has `Accept-Encoding: identity`,
    /// because a part of a compressed body can't be unpacked. An environment's `requestProcessor`,
    /// which comes last, adds both itself.
    public static var range: Headers { "Range" }
    /// The URL of the resource in which the request's URL was found (RFC 9110, section 10.1.3).
    public static var referer: Headers { "Referer" }
    /// The program that sends the request (RFC 9110, section 10.1.5).
    public static var userAgent: Headers { "User-Agent" }
}

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
        var quotes = QuotedStrings()
        for byte in utf8 {
            if byte == .comma && !quotes.isOpen { return true }
            quotes.read(byte)
        }
        return quotes.isOpen
    }
}

extension HeaderField: ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    /// A value that is the same in every request: `[.accept: "application/vnd.github+json"]`.
    public init(stringLiteral value: String) {
        self = .fieldValue(value: value)
    }

    /// Leaves out the header, even a default of the library or one of the environment's `headers`:
    /// `[.accept: nil]`. ``Transport/authorized(by:header:clock:)`` doesn't add it either, so
    /// `[.authorization: nil]` is for a request without a token, such as that of a sign-in. With
    /// `[.cookie: nil]`, the request has no cookies of the session, and its response sets none.
    /// `URLSession` may still add a default of its own, such as `Accept: */*`.
    public init(nilLiteral: ()) {
        self = .fieldValue(value: String?.none)
    }
}

/// The headers of an endpoint, in the order in which they are declared.
///
/// If a name is declared twice, also as in `["X-A": "1", "x-a": "2"]`, making a request throws an
/// ``EndpointError`` that names it.
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

/// Headers by name: an environment's `headers`, a request's `commonHeaders`, and the
/// `contentsOf:` of a ``HeaderList``.
///
///     var commonHeaders: HeaderDictionary<String> { [.userAgent: "tool/1.0"] }
///
/// A ``HeaderDictionary`` conforms, and so does a `Dictionary` whose names are ``Headers``,
/// `String` or another type with a `description`. A value is ``PathRepresentable``, such as `Int?`,
/// and `nil` leaves its header out. A request or an environment doesn't compile if the type of its
/// headers doesn't conform to this protocol.
public protocol HeaderFields: SendableMetatype {
    /// Each header's name and text. A `nil` text adds no header, and removes a header of the same
    /// name that was added before: a default, or a header of the environment, for example.
    ///
    /// - Throws: An error if a value can't be written as text, or if a name is given twice, in
    ///   upper or lower case.
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

/// Headers by name, written as a dictionary literal.
///
///     var commonHeaders: HeaderDictionary<String> { [.userAgent: "tool/1.0"] }
///
/// If a name is there twice, also as in `["X-A": "1", "x-a": "2"]`, making a request throws an
/// ``EndpointError`` that names it. With a literal of the type `[Headers: String]`, Swift would end
/// the process, as it does for every `Dictionary` whose literal has a key twice. A response of a
/// stub may have a name twice: the values are sent in one header, with a comma between them.
public struct HeaderDictionary<Value>: ExpressibleByDictionaryLiteral {
    /// The names and values as they were written.
    public private(set) var pairs: [(name: Headers, value: Value)]

    /// Headers as a literal has them.
    public init(dictionaryLiteral pairs: (Headers, Value)...) {
        self.pairs = pairs.map { ($0, $1) }
    }

    /// The headers of a dictionary, sorted by name.
    public init(_ headers: [Headers: Value]) {
        pairs = headers.sorted { $0.key.name < $1.key.name }.map { ($0, $1) }
    }

    /// The first value of a name, in upper or lower case; `nil` if there is none. Setting it
    /// replaces all values of the name, and `nil` removes them.
    public subscript(name: Headers) -> Value? {
        get { pairs.first { $0.name == name }?.value }
        set {
            let index = pairs.firstIndex { $0.name == name } ?? pairs.endIndex
            pairs.removeAll { $0.name == name }
            if let newValue { pairs.insert((name, newValue), at: index) }
        }
    }
}

extension HeaderDictionary: Sendable where Value: Sendable {}

extension HeaderDictionary: CustomStringConvertible, CustomReflectable {
    /// The names without the values, which may be secret.
    public var description: String { pairs.map(\.name.name).joined(separator: ", ") }
    /// No children, because `dump(_:)` would print the values.
    public var customMirror: Mirror { .hidden(self) }
}

extension HeaderDictionary: HeaderFields where Value: PathRepresentable {
    /// Each header's name and text.
    public var headerTexts: [HeaderText] {
        get throws {
            guard !pairs.isEmpty else { return [] }
            var names: Set<Headers> = []
            return try pairs.map { name, value in
                guard names.insert(name).inserted else {
                    throw FieldError(.header(name.name), "is given twice; remove one")
                }
                return (name, try name.text(of: value))
            }
        }
    }
}

extension Headers {
    /// Whether the name can be that of a header.
    package var isToken: Bool { name.isToken }

    func text(of value: some PathRepresentable) throws(FieldError) -> String? {
        do { return try value.pathRepresentation } catch {
            throw FieldError(.header(name), unrepresentableBecauseOf: error)
        }
    }
}

/// No headers.
///
/// This is the default type of ``RequestType/commonHeaders`` and ``EnvironmentType/headers``.
public struct NoValues: Sendable, HeaderFields {
    /// Makes a value without headers.
    @inlinable public init() {}
    /// No headers.
    public var headerTexts: [HeaderText] { [] }
}

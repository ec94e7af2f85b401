import Endpoints
import EndpointsFormats
import EndpointsShared
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Endpoint {
    /// The problems of the declaration; empty if there are none.
    ///
    ///     #expect(GetUser.endpoint.problems.isEmpty)   // in your tests, for each request
    ///
    /// With some problems, such as a `?` in the path, no `URLRequest` can be made. Others are
    /// probably not what you mean, such as the same query name twice, a `Host` header, a body with
    /// GET (which `URLSession` doesn't send), or a HEAD whose `Response` needs content. To check a
    /// HEAD, this property calls the request type's `response(data:httpResponse:)` with empty data.
    public var problems: [EndpointError] {
        var problems = Problems(of: Request.self, declaration.errors)
        problems.addWarnings(about: declaration, method, Request.Body.self)
        problems.addHeadWarnings(about: Request.self, method)
        problems.addPagingWarning(about: Request.self)
        return problems.list
    }
}

/// The problems of a declaration: its errors, and then the warnings about what is probably not
/// meant. A new warning goes here; what no request can be made with is an error, which `Plan` in
/// `Endpoints` finds.
struct Problems {
    private(set) var list: [EndpointError]
    private let errors: [EndpointError]
    let requestType: any RequestType.Type

    init(of requestType: any RequestType.Type, _ errors: [EndpointError]) {
        self.requestType = requestType
        self.errors = errors
        list = errors
    }

    mutating func add(_ field: EndpointError.Field, _ reason: String) {
        list.append(EndpointError(requestType: "\(requestType)", field: field, reason: reason))
    }

    func hasError(_ field: EndpointError.Field) -> Bool {
        errors.contains { $0.field == field }
    }

    fileprivate mutating func addWarnings(
        about declaration: Declaration, _ method: HTTPMethod, _ bodyType: Any.Type
    ) {
        addPathWarnings(declaration.path, mayLackValues: ![.put, .patch, .delete].contains(method))
        addHeaderWarnings(declaration)
        addNameWarnings(declaration.parameters)
        addStyleWarnings(declaration.parameters)
        addBytesWarnings(declaration.parameters)
        addBodyWarnings(declaration, method, bodyType)
    }
}

// MARK: - The path

extension Problems {
    private mutating func addPathWarnings(_ path: [Declaration.PathPiece], mayLackValues: Bool) {
        var (number, previous) = (0, "")
        for piece in path {
            switch piece {
            case .literal(let text):
                addBlankWarning(text)
                addNameWarning(text, isFirst: number == 0 && previous.isEmpty)
                previous = text
            case .value(let source, let includesSlash):
                number += 1
                let field = EndpointError.Field.pathValue(source.propertyName ?? "#\(number)")
                addLanguageWarning(field, source)
                addTypeWarning(field, source)
                if includesSlash { addSlashWarning(field, after: previous) }
                if mayLackValues { addOptionalWarning(field, source) }
                previous = ""
            case .segments(let source):
                number += 1
                let field = EndpointError.Field.pathValue(source.propertyName ?? "#\(number)")
                if mayLackValues { addOptionalWarning(field, source) }
                previous = ""
            }
        }
    }

    /// A blank inside a text, as in `a b/c`, may be meant.
    private mutating func addBlankWarning(_ literal: String) {
        if literal.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            add(
                .path,
                """
                has a line break or another control character, which is sent as an escape; remove \
                it
                """)
        } else if literal.first?.isWhitespace == true || literal.last?.isWhitespace == true {
            add(
                .path,
                """
                has the text \(literal.quoted), whose blank at an end is sent as an escape; remove \
                it
                """)
        }
    }

    /// Other libraries' placeholders, `{name}` and `:name`, are sent as they are.
    private mutating func addNameWarning(_ literal: String, isFirst: Bool) {
        let name = "[A-Za-z_][A-Za-z0-9_]*"
        for (pattern, what) in [
            (#"\{[^{}]*\}"#, "a name in braces"),
            ("\(isFirst ? "(^|/)" : "/"):\(name)(?=$|/)", "a name after a colon"),
        ] where literal.range(of: pattern, options: .regularExpression) != nil {
            add(.path, "has \(what), which no value replaces; write `\\(path: \\.name)`")
        }
    }

    /// `events\(path: \.id)` is short for `events/\(path: \.id)`. After a punctuation mark, as in
    /// `file-\(path: \.name)`, a slash is probably not meant.
    private mutating func addSlashWarning(_ field: EndpointError.Field, after text: String) {
        guard let last = text.last, last != "/", last.isPunctuation || last.isSymbol else { return }
        add(
            field,
            """
            comes after \(text.quoted), and a slash is sent between them; write the slash if you \
            want it, or add `includesSlash: false` if you don't
            """)
    }

    /// Without its last value, a path may be that of a whole collection.
    private mutating func addOptionalWarning(
        _ field: EndpointError.Field, _ source: DeclaredSource
    ) {
        guard case .property(let keyPath, _, _, _, mayBeLeftOut: false) = source, !hasError(field),
            type(of: keyPath).valueType is any AnyOptional.Type
        else { return }
        add(
            field,
            """
            is optional, and `nil` leaves it out, so another URL is requested; add \
            `mayBeLeftOut: true` if you want that, or make the property non-optional
            """)
    }
}

// MARK: - Headers, parameters and the body

extension Problems {
    private mutating func addHeaderWarnings(_ declaration: Declaration) {
        for (name, source) in declaration.headers {
            addHopWarning(name)
            addLanguageWarning(.header(name.name), source)
            if name == .idempotencyKey {
                addKeyWarning(name, source)
            } else {
                addTypeWarning(.header(name.name), source)
            }
            guard case .success(.one(let text?))? = source.constant else { continue }
            addMediaTypeWarning(name, text)
            addGrammarWarning(name, text)
            addContentWarning(name, text, declaration)
        }
        for (name, text) in declaration.defaultHeaders {
            addMediaTypeWarning(Headers(name: name), text)
        }
    }

    /// Warns about a header that is for the connection, and not for the server: the transport sets
    /// it, drops it, or sends it where it breaks something (RFC 9110, section 7.6.1).
    private mutating func addHopWarning(_ name: Headers) {
        let reason: String
        switch name.name.lowercased() {
        case "host", "connection": reason = "is set by the transport; remove it"
        case "keep-alive", "proxy-connection", "te", "trailer", "upgrade":
            reason = "has no effect, as the transport manages the connection; remove it"
        case "expect":
            reason = "is for the transport, which decides when it sends the body; remove it"
        case "proxy-authorization":
            reason = """
                is for a proxy, but is sent to the server; remove it, and give the proxy's password \
                to the session
                """
        case "set-cookie", "retry-after",
            _ where name.isOfCrossOriginResponse:
            reason = "is a header of responses, which servers ignore in a request; remove it"
        default: return
        }
        add(.header(name.name), reason)
    }

    /// Warns about a format that writes for people, in the language of the device.
    private mutating func addLanguageWarning(
        _ field: EndpointError.Field, _ source: DeclaredSource
    ) {
        guard case .property(_, _, .format(let format), _, _) = source,
            Mirror.hasDeviceLanguage(format)
        else { return }
        add(
            field,
            """
            has a format in the language of the device, so each device sends another text; use \
            `.iso8601`, or add `.locale(Locale(identifier: "en_US_POSIX"))`
            """)
    }

    private static let once = "a constant is made once, with the endpoint"

    /// Warns about a constant that tells a server that each request repeats the first.
    private mutating func addKeyWarning(_ name: Headers, _ source: DeclaredSource) {
        guard case .success(.one(_?))? = source.constant else { return }
        add(
            .header(name.name),
            """
            is a constant, but \(Self.once), so each request has the same key; declare a property, \
            such as `let key = UUID()`, and its key path
            """)
    }

    /// Warns about a constant such as `Date()`, which is another one each time that it is made.
    private mutating func addTypeWarning(
        _ field: EndpointError.Field, _ source: DeclaredSource
    ) {
        guard let type = source.constantType else { return }
        let types: [(name: String, all: [Any.Type])] = [
            ("Date", [Date.self, Date?.self, [Date].self]),
            ("UUID", [UUID.self, UUID?.self, [UUID].self]),
        ]
        guard let name = types.first(where: { $0.all.contains { $0 == type } })?.name else {
            return
        }
        add(
            field,
            """
            is a constant of type \(name), but \(Self.once); declare a property and its key path, \
            or write a text if it is always the same
            """)
    }

    /// Warns about names that are empty or declared twice.
    private mutating func addNameWarnings(_ parameters: [Declaration.Parameter]) {
        // Names are compared as bytes, as on servers. `String` ignores how an accent is written.
        var counts: [[[UInt8]]: Int] = [:]
        for parameter in parameters {
            guard let field = parameter.field else { continue }
            addLanguageWarning(field, parameter.source)
            addTypeWarning(field, parameter.source)
            if let reason = parameter.reasonOfName { add(field, reason) }
            if parameter.kind == .part && hasError(field) { continue }
            let name = parameter.name
            let place = [Array(name.utf8), Array("\(field)".utf8)]
            counts[place, default: 0] += 1
            let count = counts[place] ?? 0
            if count == 2 {
                add(field, "is declared twice; remove one, or declare one that sends an array")
            } else if name.isEmpty && count == 1 {
                add(field, "has no name; give it one")
            }
        }
    }

    /// Warns about a style that has no effect: that of a dictionary, or of one value.
    private mutating func addStyleWarnings(_ parameters: [Declaration.Parameter]) {
        for parameter in parameters where parameter.style != .repeated {
            guard let field = parameter.field else { continue }
            if parameter.source.isDictionary, parameter.style != .brackets {
                add(
                    field,
                    """
                    has a style, which a dictionary ignores: it is sent as `d[key]=value`; remove it
                    """)
            } else if parameter.source.isOneValue {
                add(
                    field,
                    """
                    has a style, but one value, which is sent without it; remove it, or declare a \
                    list
                    """)
            }
        }
    }

    private static let numbers =
        "is a list of UInt8, which is sent as numbers; to send the bytes, declare Data"

    /// Warns about bytes that are written as numbers.
    private mutating func addBytesWarnings(_ parameters: [Declaration.Parameter]) {
        for parameter in parameters where parameter.source.valueType == [UInt8].self {
            if parameter.source.isEncoded { continue }
            if let field = parameter.field { add(field, Self.numbers) }
        }
    }

    private mutating func addBodyWarnings(
        _ declaration: Declaration, _ method: HTTPMethod, _ type: Any.Type
    ) {
        if declaration.sendsBody, method == .get || method == .head {
            add(
                .body,
                "is not sent with \(method.rawValue) by URLSession; use POST, PUT or PATCH")
        }
        if type == URL.self || type == URL?.self {
            add(.body, "is a URL, whose text is sent; to send the file at the URL, use a File")
        }
        if type == [UInt8].self || type == [UInt8]?.self { add(.body, Self.numbers) }
    }
}

extension Declaration.Parameter {
    /// Why the name can't be meant; `nil` if it can.
    fileprivate var reasonOfName: String? {
        if style == .brackets, name.hasSuffix("[]") {
            return """
                has brackets, which its style adds too, as in `\(name)[]`; remove them
                """
        }
        if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
            return "has a blank at its beginning or end; remove it"
        }
        guard kind != .part else { return nil }
        if kind == .queryFlag, name.contains("=") {
            return "is a flag, so its `=` is escaped; write .queryValue for a value"
        }
        if let first = name.first, "?&".contains(first) {
            return "has a `\(first)` at its beginning, which is escaped; remove it"
        }
        // Strapi describes an item whose whole name is `=`.
        if name.hasSuffix("="), name != "=" {
            return "has a `=` at its end, which is escaped; remove it"
        }
        return name.range(of: "%[0-9A-Fa-f]{2}", options: .regularExpression).map {
            """
            has an escape such as `\(name[$0])`, which is escaped again; write the character itself
            """
        }
    }
}

extension Headers {
    /// Whether this is a header with which a server tells browsers who may read its response.
    fileprivate var isOfCrossOriginResponse: Bool {
        let name = name.lowercased()
        return name.hasPrefix("access-control-") && !name.hasPrefix("access-control-request-")
    }
}

extension Mirror {
    /// Whether a format, or one that it is made of, has the locale of the device.
    fileprivate static func hasDeviceLanguage(_ format: Any, depth: Int = 4) -> Bool {
        if let locale = format as? Locale { return locale == .autoupdatingCurrent }
        guard depth > 0 else { return false }
        return Mirror(reflecting: format).children.contains {
            hasDeviceLanguage($0.value, depth: depth - 1)
        }
    }
}

extension Declaration.Parameter {
    /// The item as errors call it; `nil` for `contentsOf:`, whose names aren't known.
    var field: EndpointError.Field? {
        switch kind {
        case .query, .queryFlag: .query(name)
        case .form: .form(name)
        case .part: .part(name)
        case .queryItems, .formItems: nil
        }
    }
}

extension Declaration {
    /// Whether a request has a body, form fields or parts.
    var sendsBody: Bool {
        hasBody || parameters.contains { [.form, .formItems, .part].contains($0.kind) }
    }

    /// Whether the request type has a `body` to send.
    var hasBody: Bool {
        if case .none = body { false } else { true }
    }
}

// MARK: - Pages

extension Problems {
    /// Warns about a `paging` that can't be meant.
    fileprivate mutating func addPagingWarning<Request: RequestType>(about type: Request.Type) {
        guard let type = type as? any PagedRequest.Type, let error = type.pagingError else {
            return
        }
        list.append(error)
    }
}

extension PagedRequest {
    fileprivate static var pagingError: EndpointError? { paging.wrong?.error(Self.self) }
}

// MARK: - Responses to HEAD

extension Problems {
    /// Warns about a HEAD request whose response is a stream, or whose response type needs content.
    /// A response to HEAD has no content (RFC 9110, section 9.3.2).
    ///
    /// To learn whether the type needs content, this calls `response(data:httpResponse:)` with
    /// empty data. That function may be your own. If it throws an error of its own, there is no
    /// warning.
    fileprivate mutating func addHeadWarnings<Request: RequestType>(
        about type: Request.Type, _ method: HTTPMethod
    ) {
        guard method == .head else { return }
        if Request.streamsResponse {
            add(
                .method,
                "is HEAD, whose response has no content, but the Response is a stream; use GET")
        }
        guard
            let httpResponse = HTTPURLResponse(
                url: URL(fileURLWithPath: "/"), statusCode: 200, httpVersion: nil,
                headerFields: nil)
        else { return }
        do { _ = try Request.response(data: Data(), httpResponse: httpResponse) } catch {
            guard case .none? = error as? UnreadableContent else { return }
            add(
                .method,
                """
                is HEAD, whose response has no content, but \(Request.Response.self) needs content; \
                use GET, or declare the Response as Void, as an optional, or as a WithHTTPResponse \
                of one of these
                """)
        }
    }
}

extension RequestType {
    /// What is wrong with this request's type, or probably not meant; empty if nothing is.
    ///
    ///     #expect(GetUser(id: 42).problems.isEmpty)   // add such a line to your tests
    ///
    /// Besides the problems of the declaration (``Endpoint/problems``), it lists constant headers
    /// that `contentsOf:` replaces or removes, query items and form fields that are declared and in
    /// `contentsOf:` too, stored properties that no declared path, parameter or header and no body
    /// reads, and values that can't be meant, such as the `Range` `0-99` or a text of JSON that is
    /// sent as plain text. Properties that only a hook such as `prepare(_:)` reads are listed too.
    /// If the declaration reads a computed property, or `body` is computed, the stored properties
    /// beside it are not listed, because the computed property may read them.
    public var problems: [EndpointError] { problems(except: []) }

    /// The ``problems``, without those about the properties that you name.
    ///
    ///     struct SlowSearch: FlatRequest {
    ///         let seconds: TimeInterval
    ///         static let endpoint = Endpoint<Self>(method: .get, path: "search")
    ///         typealias Response = Data
    ///         func prepare(_ request: inout URLRequest) { request.timeoutInterval = seconds }
    ///     }
    ///     // SlowSearch(seconds: 60).problems(except: \.seconds)
    ///
    /// Name the properties that only your own code reads, as `prepare(_:)` does here. The key path
    /// of a computed, wrapped, observed or inherited property may not tell the property's name.
    /// Such a key path leaves out the problems of every wrapped property, every lazy property, and
    /// every property whose type is the type of the key path's value.
    public func problems(except readByHooks: PartialKeyPath<Self>...) -> [EndpointError] {
        problems(except: readByHooks)
    }

    private func problems(except readByHooks: [PartialKeyPath<Self>]) -> [EndpointError] {
        let declaration = Self.endpoint.declaration
        var problems = Problems(of: Self.self, Self.endpoint.problems)
        let unread = UnreadProperties(of: self, declaration)
        for near in unread.nearHooks {
            problems.add(
                .property(near.name),
                """
                is ignored, as it is of type \(near.type), and \(near.name) must be of type \
                \(near.hook); change its type, or rename it
                """)
        }
        for name in unread.except(readByHooks).names {
            problems.add(
                .property(name), declaration.reason(unread: name, Self.endpoint.method))
        }
        let names = Set(declaration.headerContents.flatMap { $0.headerNames(in: headerValues) })
        for (name, source) in declaration.headers
        where source.constant != nil && names.contains(name) {
            problems.add(
                .header(name.name),
                """
                is declared with a constant that isn't sent, because `contentsOf:` replaces it; \
                remove it from one of the two, or put it into commonHeaders, which declared \
                headers replace
                """)
        }
        problems.addValueWarnings(about: self, declaration)
        for field in declaration.fieldsWithoutName(in: parameters) {
            problems.add(field, "has no name; give it one")
        }
        for field in declaration.fieldsSentTwice(in: parameters) {
            problems.add(
                field,
                """
                is sent twice, because it is also in `contentsOf:` or `spreading:`; remove it from \
                one of the two
                """)
        }
        return problems.list
    }
}

extension DeclaredSource {
    /// The names of the headers in the property; empty if their texts can't be made, because then
    /// nothing is sent.
    fileprivate func headerNames(in values: some Any) -> [Headers] {
        let fields = keyPath.flatMap { values[keyPath: $0] } as? any HeaderFields
        return (try? fields?.headerTexts.map(\.name)) ?? []
    }
}

extension DeclaredSource {
    /// The names of the items in a property for `contentsOf:` or `spreading:`.
    fileprivate func itemNames(in values: some Any) -> [String] {
        let value = keyPath.flatMap { values[keyPath: $0] }
        if let items = value as? any QueryItems {
            return (try? items.queryItems)?.filter { $0.value != nil }.map(\.name) ?? []
        }
        guard let value = value as? any Encodable, let data = try? JSONEncoder().encode(value),
            case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: data)
        else { return [] }
        return Array(members.keys)
    }

    /// Whether the property is `nil`, so that nothing is sent.
    fileprivate func isNil(in values: some Any) -> Bool {
        guard let value = keyPath.flatMap({ values[keyPath: $0] }) else { return constant == nil }
        guard let optional = value as? any AnyOptional else { return false }
        return optional.wrapped == nil
    }
}

extension Declaration {
    /// The items and fields that are declared by name, and are also in `contentsOf:`.
    fileprivate func fieldsSentTwice(in values: some Any) -> [EndpointError.Field] {
        var names: [ParameterKind: Set<[UInt8]>] = [:]
        for parameter in parameters where parameter.field == nil {
            let found = parameter.source.itemNames(in: values)
            names[parameter.kind, default: []].formUnion(found.map { Array($0.utf8) })
        }
        return parameters.filter { parameter in
            let contents: ParameterKind =
                switch parameter.kind {
                case .query, .queryFlag: .queryItems
                case .form: .formItems
                case .queryItems, .formItems, .part: .part
                }
            return names[contents]?.contains(Array(parameter.name.utf8)) == true
                && !parameter.source.isNil(in: values)
        }.compactMap(\.field)
    }

    /// The items and fields in `contentsOf:` that have no name.
    fileprivate func fieldsWithoutName(in values: some Any) -> [EndpointError.Field] {
        parameters.filter { $0.field == nil && $0.source.itemNames(in: values).contains("") }
            .map { $0.kind == .formItems ? .form("") : .query("") }
    }

    fileprivate func reason(unread name: String, _ method: HTTPMethod) -> String {
        if ["responseDecoder", "errorDecoder"].contains(name) {
            return "is ignored, as a response is decoded without its request; make it static"
        }
        let remedy =
            !sendsBody && [.post, .put, .patch, .query].contains(method)
            ? "if it is the body, call it `body`; if not, add it to the endpoint or remove it"
            : "add it to the endpoint, or remove it"
        return """
            is not sent, as no path, parameter, declared header or body reads it; \(remedy). If \
            a hook such as prepare(_:) or commonHeaders reads it, check the request with \
            `problems(except: \\.\(name))`
            """
    }
}

/// Lists what is wrong, or probably not meant, in the declarations of request types.
///
///     #expect(problems(of: GetUser.self, ListUsers.self, GetArchive.self).isEmpty)
///
/// A failure shows each problem as a sentence with the name of its request type. Properties that
/// aren't sent, and constant headers that `contentsOf:` replaces, are found only by
/// ``RequestType/problems``, as in `GetUser(id: 42).problems`.
public func problems(of types: any RequestType.Type...) -> [EndpointError] {
    types.flatMap { $0.declarationProblems }
}

extension RequestType {
    fileprivate static var declarationProblems: [EndpointError] { endpoint.problems }
}

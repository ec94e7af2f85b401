import Endpoints
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
        (plan.problems(of: Request.self) + Request.streamProblems(of: method)
            + Request.contentProblems(of: method)).map(plan.endpointError)
    }
}

extension RequestType {
    /// Warns about a HEAD request whose response is a stream.
    fileprivate static func streamProblems(of method: HTTPMethod) -> [FieldError] {
        guard method == .head, DeclaredStream(Response.self) != nil else { return [] }
        let reason = "is HEAD, whose response has no content, but the Response is a stream; use GET"
        return [FieldError(.method, reason)]
    }

    /// Warns about a HEAD request whose response type needs content. A response to HEAD has no
    /// content (RFC 9110, section 9.3.2).
    ///
    /// To learn whether the type needs content, this calls `response(data:httpResponse:)` with
    /// empty data. That function may be your own. If it throws an error of its own, there is no
    /// warning.
    fileprivate static func contentProblems(of method: HTTPMethod) -> [FieldError] {
        guard method == .head,
            let httpResponse = HTTPURLResponse(
                url: URL(fileURLWithPath: "/"), statusCode: 200, httpVersion: nil,
                headerFields: nil)
        else { return [] }
        do { _ = try response(data: Data(), httpResponse: httpResponse) } catch {
            guard case .none? = error as? UnreadableContent else { return [] }
            let reason = """
                is HEAD, whose response has no content, but \(Response.self) needs content; use \
                GET, or declare the Response as Void, as an optional, or as a WithHTTPResponse of \
                one of these
                """
            return [FieldError(.method, reason)]
        }
        return []
    }
}

extension RequestType {
    /// What is wrong with this request's type, or probably not meant; empty if nothing is.
    ///
    ///     #expect(GetUser(id: 42).problems.isEmpty)   // add such a line to your tests
    ///
    /// Besides the problems of the declaration (``Endpoint/problems``), it lists constant headers
    /// that `contentsOf:` replaces or removes, and stored properties that no declared path,
    /// parameter or header and no body reads. Properties that only a hook such as `prepare(_:)`
    /// reads are listed too. If the declaration reads a computed property, or `body` is computed,
    /// the stored properties beside it are not listed, because the computed property may read
    /// them.
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
        let plan = Self.endpoint.plan
        let unread = UnreadProperties(of: self, plan).except(readByHooks).names
        return Self.endpoint.problems
            + unread.map { plan.endpointError(FieldError(.property($0), plan.reason(unread: $0))) }
            + replacedConstants.map(plan.endpointError)
    }

    private var replacedConstants: [FieldError] {
        let headers = Self.endpoint.plan.headers
        let names = Set(headers.contents.flatMap { $0.headerNames(in: headerValues) })
        return headers.declared.filter { $0.source.constant != nil && names.contains($0.name) }.map
        {
            let reason = """
                is declared with a constant that isn't sent, because `contentsOf:` replaces it; \
                remove it from one of the two, or put it into commonHeaders, which declared \
                headers replace
                """
            return FieldError(.header($0.name.name), reason)
        }
    }
}

extension Plan {
    fileprivate func reason(unread name: String) -> String {
        if ["responseDecoder", "errorDecoder"].contains(name) {
            return "is ignored, as a response is decoded without its request; make it static"
        }
        let hasBody = body.isDeclared || sendsForm || !parts.isEmpty
        let remedy =
            !hasBody && [.post, .put, .patch, .query].contains(method)
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

extension Plan {
    /// What is wrong in the declaration, or probably not meant. Making a request throws the first
    /// error. The others are warnings.
    func problems<Request: RequestType>(of type: Request.Type) -> [FieldError] {
        var problems = Problems()
        problems.check { () throws(FieldError) in try method.check() }
        path.addProblems(to: &problems)
        if ![.put, .patch, .delete].contains(method) { path.addOptionalWarnings(to: &problems) }
        headers.addProblems(to: &problems)
        query.addValueProblems(to: &problems)
        form.addValueProblems(to: &problems)
        parts.addProblems(to: &problems)
        problems.list += Self.errors(of: body, form, parts)
        addMethodWarning(to: &problems)
        problems.check { () throws(FieldError) in try Self.check(response: Request.Response.self) }
        query.addNameWarnings(to: &problems)
        form.addNameWarnings(to: &problems)
        problems.check { () throws(FieldError) in try headers.checkMultipart(parts, body) }
        if let type = optionalContentType {
            problems.check { () throws(FieldError) in
                let type = try Headers.contentType.checked(type.rawValue)
                try Headers.contentType.checkMediaType(of: type)
            }
        }
        addBodyWarning(Request.Body.self, to: &problems)
        let parameters = query.sources + form.sources + parts.sources
        for (sources, root) in [
            (path.sources, Request.PathComponents.self as Any.Type),
            (parameters, Request.Parameters.self), (headers.sources, Request.HeaderValues.self),
        ] {
            problems.check { () throws(FieldError) in
                try body.checkIsSentOnce(sources, of: root, in: type)
            }
        }
        return problems.list
    }

    private func addMethodWarning(to problems: inout Problems) {
        guard body.isDeclared || sendsForm || !parts.isEmpty, method == .get || method == .head
        else { return }
        problems.list.append(.bodyNotSent(with: method.rawValue))
    }

    private func addBodyWarning(_ type: Any.Type, to problems: inout Problems) {
        guard type == URL.self || type == URL?.self else { return }
        problems.add(
            .body, "is a URL, whose text is sent; to send the file at the URL, use a File")
    }
}

/// The problems of a declaration, in the order in which they are listed.
struct Problems {
    var list: [FieldError] = []

    mutating func add(_ field: EndpointError.Field, _ reason: String) {
        list.append(FieldError(field, reason))
    }

    /// Adds the error that a check throws.
    mutating func check(_ check: () throws(FieldError) -> Void) {
        do throws(FieldError) { try check() } catch { list.append(error) }
    }
}

extension PathPlan {
    func addProblems(to problems: inout Problems) {
        do throws(FieldError) { try checkIsNoURL() } catch { return problems.list.append(error) }
        for piece in template {
            problems.check { () throws(FieldError) in try piece.check() }
            guard case .literal(let text) = piece, let brace = text.firstIndex(of: "{"),
                text[brace...].contains("}")
            else { continue }
            problems.add(
                .path, "has a name in braces, which no value replaces; write `\\(path: \\.name)`")
        }
        problems.check { () throws(FieldError) in try checkSegments() }
        for index in sources.indices {
            problems.check { () throws(FieldError) in try checkValue(index) }
        }
        addSlashWarnings(to: &problems)
    }

    /// Without its last value, a path may be that of a whole collection.
    fileprivate func addOptionalWarnings(to problems: inout Problems) {
        for (index, source) in sources.enumerated() where !source.mayBeLeftOut {
            guard (try? checkValue(index)) != nil, let keyPath = source.keyPath,
                type(of: keyPath).valueType is any OptionalValue.Type
            else { continue }
            problems.add(
                .pathValue(source.name(at: index)),
                """
                is optional, and `nil` leaves it out, so another URL is requested; add \
                `mayBeLeftOut: true` if you want that, or make the property non-optional
                """)
        }
    }

    /// `events\(path: \.id)` is short for `events/\(path: \.id)`. After a punctuation mark, as in
    /// `file-\(path: \.name)`, a slash is probably not meant.
    private func addSlashWarnings(to problems: inout Problems) {
        for index in template.indices.dropFirst() {
            guard case .literal(let text) = template[index - 1],
                case .value(let source, includesSlash: true) = template[index],
                let last = text.last, last != "/", last.isPunctuation || last.isSymbol
            else { continue }
            let number = template[..<index].compactMap(\.source).count
            problems.add(
                .pathValue(source.name(at: number)),
                """
                comes after \(text.quoted), and a slash is sent between them; write the slash if \
                you want it, or add `includesSlash: false` if you don't
                """)
        }
    }
}

private let twice = "is declared twice; remove one, or declare one that sends an array"

extension ParameterPlan {
    func addValueProblems(to problems: inout Problems) {
        for index in fields.indices {
            problems.check { () throws(FieldError) in try checkValue(index) }
        }
    }

    /// Warns about names that are empty or declared twice.
    func addNameWarnings(to problems: inout Problems) {
        // Names are compared as bytes, as on servers. `String` ignores how an accent is written.
        var counts: [[UInt8]: Int] = [:]
        for field in fields {
            guard let name = field.parameterName else { continue }
            let count = counts[Array(name.utf8), default: 0] + 1
            counts[Array(name.utf8)] = count
            if count == 2 {
                problems.add(field, twice)
            } else if name.isEmpty && count == 1 {
                problems.add(field, "has no name; give it one")
            }
        }
    }
}

extension PartPlan {
    func addProblems(to problems: inout Problems) {
        var counts: [[UInt8]: Int] = [:]
        for (index, name) in names.enumerated() {
            do throws(FieldError) {
                try checkPart(index)
                counts[Array(name.utf8), default: 0] += 1
                if counts[Array(name.utf8)] == 2 { problems.add(.part(name), twice) }
            } catch { problems.list.append(error) }
        }
    }
}

extension EndpointError.Field {
    /// The name of a query item or a form field; `nil` for `contentsOf:`.
    fileprivate var parameterName: String? {
        switch self {
        case .query(let name), .form(let name): name
        default: nil
        }
    }
}

extension HeaderPlan {
    func addProblems(to problems: inout Problems) {
        var seen: Set<Headers> = []
        for name in declaredNames {
            problems.check { () throws(FieldError) in
                try name.check()
                guard ["host", "connection"].contains(name.name.lowercased()) else { return }
                throw FieldError(.header(name.name), "is set by the transport; remove it")
            }
            guard !seen.insert(name).inserted else { continue }
            problems.add(
                .header(name.name), "is declared twice, and only the last one is sent; remove one")
        }
        for (name, source) in declared {
            problems.check { () throws(FieldError) in
                let text = try Self.constantText(of: name, source)
                if let text { try name.checkMediaType(of: text) }
            }
        }
        for (name, text) in defaultTexts {
            problems.check { () throws(FieldError) in
                try Headers(name: name).checkMediaType(of: Headers.checked(text, of: name))
            }
        }
    }
}

extension Headers {
    /// Throws for a `Content-Type` that isn't a media type, and for an `Accept` that isn't a list
    /// of media types (RFC 9110, sections 8.3.1 and 12.5.1).
    func checkMediaType(of value: String) throws(FieldError) {
        let types: [String]
        switch self {
        case .contentType: types = [value]
        case .accept: types = value.splitOutsideQuotes(at: .comma)
        default: return
        }
        guard !types.allSatisfy(\.isMediaType) else { return }
        let reason = "has an invalid media type; write one such as `application/json`"
        throw FieldError(.header(name), reason)
    }
}

extension String {
    /// Whether this is `type/subtype`, with or without parameters.
    fileprivate var isMediaType: Bool {
        let parts = splitOutsideQuotes(at: .semicolon).map(\.trimmingBlanks)
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        return names.count == 2 && names.allSatisfy { String($0).isToken }
            && parts.dropFirst().allSatisfy { $0.isEmpty || $0.isParameter }
    }

    /// Whether this is `name=value`; the value is a token or a quoted string (RFC 9110, section
    /// 5.6.6).
    private var isParameter: Bool {
        let pair = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, String(pair[0]).isToken else { return false }
        return String(pair[1]).isToken || pair[1].isQuotedString
    }
}

extension Substring {
    /// Whether this is one `quoted-string` from its first byte to its last (RFC 9110, section
    /// 5.6.4).
    fileprivate var isQuotedString: Bool {
        let quote = UInt8(ascii: "\"")
        guard utf8.count > 1, utf8.first == quote else { return false }
        var isEscaped = false
        for (index, byte) in utf8.enumerated().dropFirst() {
            if byte == quote && !isEscaped { return index == utf8.count - 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }
}

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

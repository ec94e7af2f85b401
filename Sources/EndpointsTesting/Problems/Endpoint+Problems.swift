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

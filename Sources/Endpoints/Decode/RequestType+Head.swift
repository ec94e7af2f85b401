import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Warns about a HEAD request whose response type needs content. A response to HEAD has no
    /// content (RFC 9110, section 9.3.2).
    ///
    /// To learn whether the type needs content, this calls `response(data:httpResponse:)` with
    /// empty data. That function may be your own. If it throws an error of its own, there is no
    /// warning.
    static func contentProblems(of method: HTTPMethod) -> [Problem] {
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
            return [.warning(FieldError(.method, reason))]
        }
        return []
    }
}

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// What is suspicious about a HEAD whose response type needs content: a response to HEAD has
    /// none (RFC 9110, section 9.3.2).
    ///
    /// A conversion of the user's own may need the head alone, so an empty response is converted to
    /// see.
    static func contentProblems(of method: HTTPMethod) -> [Problem] {
        guard method == .head,
            let httpResponse = HTTPURLResponse(
                url: URL(fileURLWithPath: "/"), statusCode: 200, httpVersion: nil,
                headerFields: nil)
        else { return [] }
        do { _ = try response(data: Data(), httpResponse: httpResponse) } catch {
            guard case .none? = error as? UnreadableContent else { return [] }
            let reason = """
                is HEAD, whose response has no content, but \(Response.self) needs some; use GET, \
                or declare Void, an optional, or WithHTTPResponse of these
                """
            return [.warning(FieldError(.method, reason))]
        }
        return []
    }
}

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an unsafe request may have changed (RFC 9111, section 4.4).
enum Invalidation {
    /// The URLs whose stored responses are out of date after a request: its own, those that its
    /// redirects led to, and those that the last response names. None after an error status.
    ///
    ///     POST /add -> 303, Location: /cart -> 200   ->   /add, /cart
    ///
    /// A URL of another origin counts only if an unsafe request was sent to that origin: a server
    /// must not drop what others have said.
    /// - Parameters:
    ///   - redirects: The requests that redirects have led to, as far as they are known.
    ///   - head: The last response; `nil` if there was none.
    static func urls(
        after request: URLRequest, _ redirects: [URLRequest], _ head: HTTPURLResponse?
    ) -> [URL] {
        guard let own = request.url else { return [] }
        let last = head?.url ?? redirects.last?.url ?? own
        let isSuccess = head.map { (200..<400).contains($0.statusCode) } ?? false
        // A redirect is a success, whatever comes after it.
        guard isSuccess || !redirects.isEmpty || !last.isSame(as: own) else { return [] }
        let unsafe = ([request] + redirects).filter {
            !HTTPMethod(rawValue: $0.method).isSafe
        }
        let origins = Set(unsafe.map { $0.url.flatMap(Origin.init) })
        var named = redirects.compactMap(\.url) + [last]
        for name in ["Location", "Content-Location"] where isSuccess {
            guard let reference = head?.value(forHTTPHeaderField: name),
                let url = URL(reference: reference, at: last)
            else { continue }
            named.append(url)
        }
        return [own]
            + named.filter { url in
                Origin(of: url).map { origins.contains($0) } ?? false
            }
    }
}

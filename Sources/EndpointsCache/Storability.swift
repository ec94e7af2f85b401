import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whether a response may be stored (RFC 9111, section 3).
enum Storability {
    static func mayStore(
        status: Int, _ fields: ResponseFields, bodyCount: Int, to request: RequestDirectives
    ) -> Bool {
        // A 206 and a 304 have no whole body, and a 1xx isn't the response. A 401 is the response
        // to a token, which isn't a part of the place: after a refresh, the request is sent again.
        // RFC 6585 forbids storing those that it defines.
        guard (200...599).contains(status), ![206, 304, 401, 428, 429, 431, 511].contains(status),
            !request.forbidsStoring, isWhole(fields, bodyCount, status)
        else { return false }
        let directives = CacheDirectives(fields["Cache-Control"])
        guard !isForbidden(status, directives) else { return false }
        let hasLifetime =
            directives.contains("max-age") || directives.contains("public")
            || directives.contains("private") || fields["Expires"] != nil
        return hasLifetime || Freshness.heuristicStatuses.contains(status)
    }

    /// Whether a response says that no cache may have it (sections 5.2.2.3 and 5.2.2.5).
    static func isForbidden(_ status: Int, _ directives: CacheDirectives) -> Bool {
        // With `must-understand`, `no-store` is for caches that don't know it.
        directives.contains("must-understand")
            ? !understood.contains(status) : directives.contains("no-store")
    }

    /// Whether a response tells that those stored before are out of date, though it can't take
    /// their place: a success, a redirect, and that there is nothing any more.
    static func outdatesOthers(_ status: Int) -> Bool {
        (200..<400).contains(status) && status != 206 && status != 304
            || [404, 410].contains(status)
    }

    /// Whether the body has the length that the header says (section 3.3). The length of an encoded
    /// body is that before it was decoded.
    static func isWhole(_ fields: ResponseFields, _ count: Int, _ status: Int) -> Bool {
        guard fields["Content-Encoding"] == nil, let length = fields["Content-Length"],
            let length = length.wholeNumber, status != 204
        else { return true }
        return count >= length
    }

    /// The statuses whose meaning for caches is known (RFC 9110, section 15).
    private static let understood: Set<Int> = [
        200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405,
        406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 500, 501, 502,
        503, 504, 505,
    ]
}

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

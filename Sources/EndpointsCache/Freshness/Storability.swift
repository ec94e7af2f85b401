import Endpoints
import Foundation

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
            let length = Int(length), status != 204
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

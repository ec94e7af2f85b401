import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the response may have a header that ``RateLimit`` reads. If not, the headers needn't
    /// be looked up by their names, which would allocate memory.
    var mayLimitRate: Bool {
        allHeaderFields.keys.contains { key in
            guard let name = (key as? String)?.utf8 else { return false }
            return name.hasPrefix("retry-after") || name.hasPrefix("ratelimit")
                || name.hasPrefix("x-rate")
        }
    }
}

extension String.UTF8View {
    /// Whether the text begins with a prefix, in upper or lower case. The prefix must have only `a`
    /// to `z` and `-`.
    fileprivate func hasPrefix(_ prefix: String) -> Bool {
        // The bit 0x20 makes a letter lower case. It is set in `-` as well.
        starts(with: prefix.utf8) { $0 | 0x20 == $1 }
    }
}

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the response may have a header that ``RateLimit`` reads. Asking this first saves the
    /// allocations of looking up each of these headers by its name.
    var mayLimitRate: Bool {
        allHeaderFields.keys.contains { key in
            guard let name = (key as? String)?.utf8 else { return false }
            return name.hasPrefix("retry-after") || name.hasPrefix("ratelimit")
                || name.hasPrefix("x-rate")
        }
    }
}

extension String.UTF8View {
    /// Whether this begins with a prefix of `a` to `z` and `-`, in upper or lower case.
    fileprivate func hasPrefix(_ prefix: String) -> Bool {
        // `A` and `a` differ in the bit 0x20. It is set in `-` too.
        starts(with: prefix.utf8) { $0 | 0x20 == $1 }
    }
}

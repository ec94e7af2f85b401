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
    /// Whether the text begins with a prefix, in any case. The prefix has only `a` to `z` and `-`.
    fileprivate func hasPrefix(_ prefix: String) -> Bool {
        // `A` and `a` differ in the bit 0x20. It is set in `-` too.
        starts(with: prefix.utf8) { $0 | 0x20 == $1 }
    }
}

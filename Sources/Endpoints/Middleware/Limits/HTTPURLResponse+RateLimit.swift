import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether there may be a header that ``RateLimit`` reads. Looking each of them up by its name
    /// takes several allocations.
    var mayLimitRate: Bool {
        allHeaderFields.keys.contains { key in
            guard let name = (key as? String)?.utf8 else { return false }
            return name.hasPrefix("retry-after") || name.hasPrefix("ratelimit")
                || name.hasPrefix("x-rate")
        }
    }
}

extension String.UTF8View {
    /// Whether this begins with a text of letters in lower case and `-`, in any case.
    fileprivate func hasPrefix(_ prefix: String) -> Bool {
        // The bit is the difference between `A` and `a`. It is set in `-` too.
        starts(with: prefix.utf8) { $0 | 0x20 == $1 }
    }
}

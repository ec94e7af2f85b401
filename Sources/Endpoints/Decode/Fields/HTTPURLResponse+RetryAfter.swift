import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// When the server wants to be asked again, by its `Retry-After` (RFC 9110, section 10.2.3).
    ///
    ///     let moment = httpResponse.retryAfter()
    ///     // Retry-After: 120                             ->  120 seconds from now
    ///     // Retry-After: Fri, 31 Dec 1999 23:59:59 GMT   ->  that moment
    ///
    /// A moment that is past means at once. `nil` without the header and for any other value of it.
    /// A server may name a moment years ahead: whoever waits should have a limit of their own.
    ///
    /// - Parameter now: When the response came.
    public func retryAfter(now: Date = Date()) -> Date? {
        let text = value(forHTTPHeaderField: "Retry-After")?.trimmingBlanks ?? ""
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            return HTTPDate.date(text, now: now)
        }
        // A number that is too large counts as this one (RFC 9111, section 1.2.2).
        return now + TimeInterval(min(Int(text) ?? .max, 1 << 31))
    }
}

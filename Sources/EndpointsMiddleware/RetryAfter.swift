import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// When the request may be sent again, by the response's `Retry-After` (RFC 9110, section
    /// 10.2.3) or, with milliseconds, by `Retry-After-Ms` as AI services send it.
    ///
    ///     let moment = httpResponse.retryAfter()
    ///     // Retry-After: 120                             ->  120 seconds from now
    ///     // Retry-After: Fri, 31 Dec 1999 23:59:59 GMT   ->  that moment
    ///     // Retry-After-Ms: 250                          ->  0.25 seconds from now
    ///
    /// `Retry-After-Ms` and Azure's `x-ms-retry-after-ms` win over `Retry-After`, as they say more
    /// exactly how long to wait, unless they are malformed, as a negative number is. If the date is
    /// in the past, the request may be sent at once. `nil` if all are missing or malformed. A
    /// server may send a date years ahead, so set a limit of your own if you wait.
    ///
    /// - Parameter now: When the response arrived.
    public func retryAfter(now: Date = Date()) -> Date? {
        for name in ["Retry-After-Ms", "x-ms-retry-after-ms"] {
            let text = value(forHTTPHeaderField: name)?.trimmingBlanks
            if let milliseconds = text.flatMap(RateLimitValue.number) {
                return now + min(milliseconds / 1000, 0x1p31)
            }
        }
        let text = value(forHTTPHeaderField: "Retry-After")?.trimmingBlanks ?? ""
        return text.cappedNumber.map { now + $0 } ?? HTTPDate.date(text, now: now)
    }
}

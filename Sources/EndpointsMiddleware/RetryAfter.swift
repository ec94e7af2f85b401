import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// When the request may be sent again, by the response's `Retry-After` (RFC 9110, section
    /// 10.2.3).
    ///
    ///     let moment = httpResponse.retryAfter()
    ///     // Retry-After: 120                             ->  120 seconds from now
    ///     // Retry-After: Fri, 31 Dec 1999 23:59:59 GMT   ->  that moment
    ///
    /// If the date is in the past, the request may be sent at once. `nil` if the header is missing
    /// or malformed. A server may send a date years ahead, so set a limit of your own if you wait.
    ///
    /// - Parameter now: When the response arrived.
    public func retryAfter(now: Date = Date()) -> Date? {
        let text = value(forHTTPHeaderField: "Retry-After")?.trimmingBlanks ?? ""
        return text.cappedNumber.map { now + $0 } ?? HTTPDate.date(text, now: now)
    }
}

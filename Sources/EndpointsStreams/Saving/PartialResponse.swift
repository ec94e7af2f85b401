import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// The URL without its query, which may have another signature after each redirect.
    var place: Substring? {
        url?.absoluteString.prefix { $0 != "?" && $0 != "#" }
    }

    /// How many bytes the body has; `nil` if that isn't known, or the body is compressed.
    var bodyLength: Int64? {
        guard ![204, 205].contains(statusCode),
            value(forHTTPHeaderField: "Content-Encoding") == nil,
            value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            let text = value(forHTTPHeaderField: "Content-Length")
        else { return nil }
        return text.wholeNumber
    }

    /// Whether the server says that it sends parts of the body (RFC 9110, section 14.3).
    var acceptsRanges: Bool {
        value(forHTTPHeaderField: "Accept-Ranges")?.listMembers.contains("bytes") ?? false
    }

    /// The `ETag` of a whole, uncompressed body, if it is strong (RFC 9110, section 8.8.3), or its
    /// `Last-Modified`, if it has no `ETag` at all (RFC 9110, section 13.1.5).
    var strongVersion: String? {
        guard statusCode == 200, value(forHTTPHeaderField: "Content-Encoding") == nil
        else { return nil }
        guard let tag = value(forHTTPHeaderField: "ETag") else { return strongDate }
        return tag.hasPrefix("\"") ? tag : nil
    }

    /// The `Last-Modified`, if the file can't have changed again in the same second: the response
    /// is a minute younger, which also allows for clocks that differ (RFC 9110, section 8.8.2.2).
    private var strongDate: String? {
        guard let text = value(forHTTPHeaderField: "Last-Modified"),
            let modified = HTTPDate.date(text, now: Date()),
            let sent = value(forHTTPHeaderField: "Date"),
            let date = HTTPDate.date(sent, now: Date()),
            date.timeIntervalSince(modified) >= 60
        else { return nil }
        return text
    }

    /// Whether this is a response about the version of a file with this validator. A server may
    /// leave a validator out of a response to a request that had it in `If-Range`.
    ///
    /// - Parameter isSaid: Whether the response must have the validator.
    func isOf(_ version: String, isSaid: Bool = false) -> Bool {
        let name = version.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return value(forHTTPHeaderField: name).map { $0 == version } ?? !isSaid
    }

    /// Whether a `Content-Range`, such as `bytes */1000`, says that the whole file has this length
    /// (RFC 9110, section 14.4).
    func saysLength(is length: Int64) -> Bool {
        value(forHTTPHeaderField: "Content-Range")?.lowercased() == "bytes */\(length)"
    }

    /// Where the body ends in the file, and the length of the whole file, if a `Content-Range`,
    /// such as `bytes 500-999/1000`, says that the body is what was asked for, or the beginning of
    /// it (RFC 9110, sections 14.4 and 15.3.7); else `nil`.
    ///
    /// - Parameter asked: A range of the file, whose end is `Int64.max` for the rest of the file.
    func part(
        of asked: Range<Int64>, in total: Int64?
    ) -> (end: Int64, length: Int64)? {
        let start = asked.lowerBound
        guard value(forHTTPHeaderField: "Content-Encoding") == nil,
            let range = value(forHTTPHeaderField: "Content-Range")?.lowercased(),
            range.hasPrefix("bytes \(start)-")
        else { return nil }
        let end = range.dropFirst("bytes \(start)-".count).split(separator: "/")
        guard end.count == 2, let last = String(end[0]).wholeNumber,
            let length = end[1] == "*" ? total : String(end[1]).wholeNumber,
            start <= last, last < length, last < asked.upperBound, length == total ?? length
        else { return nil }
        return (last + 1, length)
    }
}

extension URLRequest {
    /// Asks for a range of a file, whose end is `Int64.max` for the rest of it, if the file still
    /// has this validator (RFC 9110, sections 13.1.5 and 14.2).
    mutating func ask(for range: Range<Int64>, of total: Int64?, ifStill version: String) {
        let last = range.upperBound < total ?? .max ? "\(range.upperBound - 1)" : ""
        setValue("bytes=\(range.lowerBound)-\(last)", forHTTPHeaderField: "Range")
        setValue(version, forHTTPHeaderField: "If-Range")
        // The bytes in the file are not compressed, so the others must not be compressed.
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
}

extension PartRecord {
    /// The longest validator that is kept, in bytes.
    private static let longestValidator = 4096

    /// What a later process needs to go on with the file of a response; `nil` if the response has
    /// no strong validator.
    init?(_ response: ArrivingResponse) {
        let head = response.httpResponse
        guard response.canGoOn, let version = head.strongVersion,
            version.utf8.count <= Self.longestValidator, !version.contains(where: \.isNewline),
            let place = head.place
        else { return nil }
        self.init(
            validator: version, total: head.bodyLength, place: Digest(String(place)).hex)
    }
}

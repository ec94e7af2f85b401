import Endpoints
import EndpointsFormats
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Dates in HTTP's own form")
struct HTTPDateFormatTests {
    struct GetNews: FlatRequest {
        var since: Date?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "news",
            headers: [.ifModifiedSince: .field(path: \.since, format: .httpDate)])
        typealias Response = Void
    }

    static let dates: [(seconds: Double?, text: String?)] = [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"), (nil, nil),
    ]

    @Test(
        "A date in the format .httpDate is sent as RFC 9110, section 5.6.7, has it",
        arguments: dates)
    func text(_ seconds: Double?, _ text: String?) throws {
        let request = GetNews(since: seconds.map(Date.init(timeIntervalSince1970:)))
        let urlRequest = try request.urlRequest(in: .production)
        #expect(urlRequest.value(forHTTPHeaderField: "If-Modified-Since") == text)
    }

    @Test("A date that HTTP's form can't write is refused")
    func outOfRange() {
        let error = #expect(throws: EndpointError.self) {
            try GetNews(since: .distantFuture.addingTimeInterval(1e12)).urlRequest(in: .production)
        }
        #expect(error?.field == .header("If-Modified-Since"))
    }

    struct GetWrongly: FlatRequest {
        let since: Date
        static let endpoint = Endpoint<Self>(
            method: .get, path: "news",
            headers: [
                .ifModifiedSince: .field(path: \.since), .ifRange: .field(path: \.since),
                "X-Since": .field(path: \.since),
            ])
        typealias Response = Void
    }

    @Test("A date without a format is refused in a header for which HTTP has its own form")
    func unformatted() {
        #expect(
            GetWrongly.endpoint.problems.map(\.description)
                == ["If-Modified-Since", "If-Range"].map { name in
                    """
                    GetWrongly: the header "\(name)" is read from a Date, but needs HTTP's own \
                    date format; add `format: .httpDate`
                    """
                })
    }
}

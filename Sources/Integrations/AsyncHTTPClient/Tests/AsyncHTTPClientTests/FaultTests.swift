import Endpoints
import EndpointsAsyncHTTPClient
import Testing

extension Fault.Way {
    /// A transport of its own for each load.
    static let asyncHTTPClient = Fault.Way(description: "AsyncHTTPClient") {
        request, _, environment, ended in
        defer { ended() }
        return await AsyncHTTPTransport().outcome(of: request, in: environment)
    }
}

extension Fault {
    /// How AsyncHTTPClient ends a load, where `URLSession` ends it in another way.
    static let differences: [(outcome: Outcome, names: [String])] = [
        (.lost, ["fin-within-head", "endless-interim-responses", "length-of-8-exabytes"]),
        (
            .notHTTP,
            [
                "endless-head", "endless-header-line", "long-header-line", "many-headers",
                "same-header-many-times", "folded-header", "header-without-colon",
                "header-without-name", "blank-before-colon", "invalid-utf8-in-header-name",
                "nul-in-header-value", "nul-in-header-name", "bare-cr-in-header-value",
                "bare-lf-head", "two-lengths-equal", "length-list", "length-negative",
                "length-not-a-number", "length-empty", "length-and-chunks", "broken-chunk-size",
                "negative-chunk-size", "huge-chunk-size", "chunk-longer-than-said", "trailers",
                "endless-trailers", "redirect-growing", "redirect-control-characters",
                "redirect-bare-cr", "redirect-long-location",
            ]
        ),
        (
            .fine,
            [
                "invalid-utf8-in-reason", "invalid-utf8-in-header-value", "nul-in-reason",
                "empty-line-first", "reason-missing", "unknown-transfer-encoding",
                "unknown-coding", "redirect-invalid-utf8",
            ]
        ),
        (
            .urlLoadError("the content can't be decompressed (URLError -1016)"),
            [
                "truncated-gzip", "corrupt-gzip", "gzip-with-wrong-checksum",
                "gzip-with-trailing-garbage", "gzip-in-two-members", "gzip-declared-only",
                "gzip-empty", "deflate-raw",
            ]
        ),
        (.notJSON, ["gzip-twice", "bomb-twice"]),
    ]

    /// The faults at which AsyncHTTPClient itself stops the process.
    static let traps: Set = ["status-000"]

    /// The expected results with AsyncHTTPClient.
    fileprivate var expectedReport: Report {
        var report = expected(.asyncHTTPClient)
        for (outcome, names) in Self.differences where names.contains(name) {
            report.outcomes = report.outcomes.map { _ in outcome }
        }
        return report
    }
}

@Suite("Broken servers with AsyncHTTPClient", .needsServers, .serialized)
struct FaultTests {
    @Test(
        "A load at a broken server ends once, with the right error, and leaves nothing open",
        arguments: Fault.table.filter { !Fault.traps.contains($0.name) })
    func outcome(_ fault: Fault) async throws {
        let report = try await fault.report(.asyncHTTPClient)
        #expect(report == fault.expectedReport)
    }

    @Test(
        "A download from a broken server ends with a whole file, or with the right error and none",
        arguments: Fault.table.filter { !Fault.traps.contains($0.name) })
    func download(_ fault: Fault) async throws {
        let report = try await fault.downloadReport { await $0(AsyncHTTPTransport()) }
        #expect(report == fault.downloadReport(fault.expectedReport.outcomes[0]))
    }

    @Test("The table of differences names faults that the server has, and each once")
    func differences() {
        let names = Fault.differences.flatMap(\.names)
        #expect(Set(names).count == names.count)
        #expect(Set(names).isSubset(of: Fault.table.map(\.name)))
    }
}

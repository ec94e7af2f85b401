import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct GetLog: FlatRequest {
    static let endpoint = Endpoint<GetLog>(method: .get, path: "log")
    typealias Response = Lines
}

/// A transport whose response has chunks of 16 KB, as `URLSession` has them.
struct Chunked: Transport {
    let chunks: [Data]
    let httpResponse: HTTPURLResponse

    init(_ data: Data, _ type: String) throws {
        chunks = stride(from: 0, to: data.count, by: 16 << 10)
            .map { Data(data[$0..<min($0 + 16 << 10, data.count)]) }
        httpResponse = try head(["Content-Type": type])
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(body: body(), httpResponse)
    }

    func body() -> ResponseBody {
        let next = Next(chunks)
        return ResponseBody(chunks: { await next.chunk() })
    }

    /// The next chunk, from an actor as a delegate's would be.
    private actor Next {
        private var rest: ArraySlice<Data>

        init(_ chunks: [Data]) { rest = chunks[...] }

        func chunk() -> Data? { rest.popFirst() }
    }
}

private let lineCount = 20_000

/// What a line of a stream costs, against a loop over the same bytes.
func streaming() async throws {
    print("\nA line of a stream, against a loop over the same bytes\n")
    let base = ServerEnvironment.production
    let text = (0..<lineCount)
        .map { "2026-11-21T22:10:\($0 % 60) INFO request \($0) took 12 ms\n" }.joined()
    let log = try Chunked(Data(text.utf8), "text/plain")
    let library = Runner(name: "library") { _ in
        var count = 0
        for try await line in try await log.response(in: base, with: GetLog()) {
            keep(line)
            count += 1
        }
        try check(count)
    }
    let hand = Runner(name: "by hand") { _ in
        var count = 0
        var rest: [UInt8] = []
        for try await chunk in log.body() {
            rest += chunk
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                keep(String(decoding: rest[start..<end], as: UTF8.self))
                count += 1
                start = end + 1
            }
            rest.removeFirst(start)
        }
        try check(count)
    }
    let rows = try await race([library, hand], batch: 1, by: CLOCK_PROCESS_CPUTIME_ID)
    let lines = Double(lineCount)
    print(
        line(
            "a line, \(rows[1].name)", rows[0].nanoseconds / lines, rows[1].nanoseconds / lines,
            rows[1].firstRelative.text(most: 1.5)))
}

private func check(_ count: Int) throws {
    guard count == lineCount else { throw Difference(description: "\(count) lines were read") }
}

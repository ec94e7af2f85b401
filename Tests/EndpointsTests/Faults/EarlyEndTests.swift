import Testing

@Suite("Connections that end early", .needsServers, .serialized)
struct EarlyEndTests {
    @Test(
        "A connection that ends early is reported, whatever was sent on it",
        arguments: Fault.connections.filter { $0.outcome != .stop },
        [Fault.Way.async.posting, .async.uploading(by: "PUT")])
    func connection(_ fault: Fault, _ way: Fault.Way) async throws {
        let report = try await fault.report(way)
        #expect(report == fault.expected(way))
    }
}

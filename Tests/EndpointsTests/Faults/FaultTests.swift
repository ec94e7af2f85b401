import Endpoints
import Foundation
import Testing

@Suite("Broken servers", .needsServers)
struct FaultTests {
    @Test(
        "A load at a broken server ends once, with the right error, and leaves nothing open",
        arguments: Fault.survivable,
        [Fault.Way.async, .callback, .stream, .async.uploading, .callback.uploading])
    func outcome(_ fault: Fault, _ way: Fault.Way) async throws {
        let report = try await fault.report(way)
        #expect(report == fault.expected)
    }

    @Test("The fault server and the table of outcomes have the same faults")
    func tableIsWhole() async throws {
        let offered = try await FaultServer().rows().map(\.name)
        #expect(Fault.table.map(\.name).sorted() == offered.sorted())
    }
}

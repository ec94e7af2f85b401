import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Broken servers", .needsServers)
struct FaultTests {
    @Test(
        "A load at a broken server ends once, with the right error, and leaves nothing open",
        arguments: Fault.survivable,
        [
            Fault.Way.async, .callback, .stream, .async.uploading(by: "POST"),
            .callback.uploading(by: "POST"),
        ])
    func outcome(_ fault: Fault, _ way: Fault.Way) async throws {
        let report = try await fault.report(way)
        #expect(report == fault.expected(way))
    }

    @Test(
        "A download from a broken server ends with a whole file, or with the right error and none",
        arguments: Fault.survivable)
    func download(_ fault: Fault) async throws {
        let report = try await fault.downloadReport { download in
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            return await download(session)
        }
        #expect(report == fault.downloadReport(fault.streamed ?? fault.outcome))
    }

    @Test("The fault server and the table of outcomes have the same faults")
    func tableIsWhole() async throws {
        let offered = try await FaultServer().rows().map(\.name)
        #expect(Fault.table.map(\.name).sorted() == offered.sorted())
    }
}

import Endpoints
import Foundation
import Testing

@Suite("Any server")
struct FaultTests {
    @Test(
        "ends a load once, in the right case, within its deadline, and nothing stays open",
        arguments: Fault.survivable, [Fault.Way.async, .callback])
    func outcome(_ fault: Fault, _ way: Fault.Way) async throws {
        let report = try await fault.report(way)
        #expect(report == fault.expected)
    }

    @Test("has no fault that the table leaves out, and the table none that it has not")
    func tableIsWhole() async throws {
        let offered = try await FaultServer().rows().map(\.name)
        #expect(Fault.table.map(\.name).sorted() == offered.sorted())
    }
}

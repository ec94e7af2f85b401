#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Testing

    @Suite("URLSession on Linux", .needsServers)
    struct TrapTests {
        /// What ends here is a process of its own. Once this fails, the platform has been mended:
        /// give the faults the outcomes that they then have.
        @Test(
            "URLSession on Linux stops the process at some responses, without the library too",
            arguments: Fault.table.filter { $0.outcome == .stop }.map(\.name))
        func trap(_ name: String) async {
            await #expect(processExitsWith: .failure) { [name] in
                let url = try FaultServer().address.appendingPathComponent(name)
                _ = try? await URLSession.shared.data(from: url)
            }
        }
    }
#endif

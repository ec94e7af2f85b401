#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Testing

    @Suite("URLSession on Linux", .needsServers)
    struct TrapTests {
        /// Each load runs in a process of its own. If this test fails, the platform has been fixed:
        /// change the outcomes of these faults in the table.
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

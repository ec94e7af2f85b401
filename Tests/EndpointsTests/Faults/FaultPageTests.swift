import Foundation
import Testing

@Suite("Faults.md", .needsServers)
struct FaultPageTests {
    @Test("Faults.md is what the fault server and the table of outcomes make")
    func isCurrent() async throws {
        let page = try await FaultPage(rows: FaultServer().rows()).text
        if ProcessInfo.processInfo.environment["ENDPOINTS_WRITE_DOCS"] != nil {
            try Data(page.utf8).write(to: Self.file)
        }
        let written = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(page == written, "run this test with ENDPOINTS_WRITE_DOCS=1 to write the page anew")
    }

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/Endpoints/Endpoints.docc/Faults.md").standardized
}

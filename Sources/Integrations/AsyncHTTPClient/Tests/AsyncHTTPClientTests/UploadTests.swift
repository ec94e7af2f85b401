import Endpoints
import EndpointsAsyncHTTPClient
import Foundation
import Testing

@Suite("Uploads with AsyncHTTPClient", .needsServers)
struct UploadTests {
    struct PutFile: FlatRequest, Sendable {
        let body: File
        static let endpoint = Endpoint<Self>(method: .put, path: "-/file")
        typealias Response = Recorded
    }

    @Test("A file is sent with its length, and arrives whole", arguments: [0, 1, 1_000_000])
    func file(_ count: Int) async throws {
        let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString + ".png")
        try content.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let recorded = try await Server.recorder.response(to: PutFile(body: File(url)))
        #expect(recorded.bytes == content)
        #expect(recorded.values(of: "content-length") == ["\(count)"])
        #expect(recorded.values(of: "transfer-encoding") == [])
        #expect(recorded.values(of: "content-type") == ["image/png"])
    }

    @Test("A file that is missing is an error of its own, and nothing is sent")
    func missing() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("none")
        let environment = try Server.recorder.environment
        do throws(PutFile.TaskError) {
            _ = try await Server.network.response(in: environment, with: PutFile(body: File(url)))
            Issue.record("the file was sent")
        } catch .fileError(let error) {
            #expect(error.kind == .missing)
        } catch {
            Issue.record(error)
        }
    }
}

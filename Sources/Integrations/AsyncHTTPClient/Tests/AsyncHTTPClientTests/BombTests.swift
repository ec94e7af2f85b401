import Endpoints
import EndpointsAsyncHTTPClient
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A body that is far longer than its limit, in a process of its own, whose memory is measured.
@Suite("Bombs with AsyncHTTPClient", .needsServers)
struct BombTests {
    struct GetBomb: FlatRequest, Sendable {
        let fault: String
        let mb: Int
        var kind = 0
        static let endpoint = Endpoint<GetBomb>(
            method: .get, path: "\(path: \.fault)",
            parameters: [.query("mb", path: \.mb), .query("kind", path: \.kind)])
        typealias Response = Data
        static let loadPolicy = LoadPolicy(bodyLimit: 1 << 20)
    }

    /// The most memory that the process has had, in megabytes.
    private static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? .max) / 1024
    }

    @Test(
        "Gzip takes less than 64 MB of memory, whatever comes before it, and if each byte is a block"
    )
    func kinds() async {
        await #expect(processExitsWith: .success) {
            let environment = ServerEnvironment(baseUrl: try FaultServer().address)
            let transport = AsyncHTTPTransport()
            func load(_ mb: Int, _ kind: Int) async -> GetBomb.TaskError? {
                let request = GetBomb(fault: "bomb", mb: mb, kind: kind)
                do throws(GetBomb.TaskError) {
                    _ = try await transport.response(in: environment, with: request)
                    return nil
                } catch { return error }
            }
            _ = await load(2, 0)
            let start = Self.peak
            // A long body that isn't compressed is read in large pieces.
            for (mb, kind) in [(1, 2), (300, 0), (300, 1), (60, 3)] {
                let error = await load(mb, kind)
                if mb == 300 { #expect(error != nil, "\(kind)") }
                #expect(Self.peak - start < 64, "\(kind): \(start) MB, then \(Self.peak) MB")
            }
        }
    }

    @Test(
        "A body of 300 MB of gzip is counted while it arrives, and takes less than 64 MB of memory",
        arguments: ["bomb", "error-bomb"])
    func memory(_ fault: String) async {
        await #expect(processExitsWith: .success) { [fault] in
            let server = try FaultServer().address
            let environment = ServerEnvironment(baseUrl: server)
            let transport = AsyncHTTPTransport()
            // What the first load takes, and what the server takes to make the bomb.
            _ = try? await transport.response(
                in: environment, with: GetBomb(fault: fault, mb: 2))
            let start = Self.peak
            do throws(GetBomb.TaskError) {
                _ = try await transport.response(
                    in: environment, with: GetBomb(fault: fault, mb: 300))
                Issue.record("a body came")
            } catch .urlLoadError(let error) {
                #expect(error.code == .dataLengthExceedsMaximum)
            } catch {
                Issue.record(error)
            }
            #expect(Self.peak - start < 64, "\(start) MB, then \(Self.peak) MB")
        }
    }
}

#if os(Linux)
    import Endpoints
    import Foundation
    import FoundationNetworking
    import Testing

    /// A body that is far longer than its limit, in a process of its own, whose memory is measured.
    @Suite("Bombs", .needsServers)
    struct BombTests {
        struct GetBomb: FlatRequest, Sendable {
            let fault: String
            let mb: Int
            static let endpoint = Endpoint<GetBomb>(
                method: .get, path: "\(path: \.fault)", parameters: [.query("mb", path: \.mb)])
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
            "A body of 300 MB is counted while it arrives, and takes less than 64 MB of memory",
            arguments: ["bomb", "error-bomb", "bomb-twice"])
        func memory(_ fault: String) async {
            await #expect(processExitsWith: .success) { [fault] in
                let server = try FaultServer().address
                let environment = ServerEnvironment(baseUrl: server)
                let transport = URLSession(configuration: .default)
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
#endif

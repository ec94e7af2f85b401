import Endpoints
import EndpointsStreams
import Foundation
import Testing

@testable import EndpointsTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Files of recordings, and what their comments advise")
struct KeptRecordingTests {
    struct Get: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "thing", headers: [.authorization: "Bearer t0k3n-1"])
        typealias Response = Data
    }

    @Test("A recorder that records nothing keeps the old file")
    func kept() async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Get.self, .data(Data("old".utf8)))
        _ = try await Recorder(stub, to: disk.file).response(in: server, with: Get())
        let old = try Data(contentsOf: disk.file)
        do {
            let recorder = try Recorder(StubTransport(), to: disk.file)
            _ = try? await recorder.response(in: server, with: Get())
            #expect(try Data(contentsOf: disk.file) == old)
        }
        #expect(try await Replay(disk.file).response(in: server, with: Get()) == Data("old".utf8))

        stub.on(Get.self, .data(Data("n".utf8)))
        _ = try await Recorder(stub, to: disk.file).response(in: server, with: Get())
        let replay = try Replay(disk.file)
        #expect(try await replay.response(in: server, with: Get()) == Data("n".utf8))
        try replay.checkAllUsed()
    }

    @Test("A recorder that records nothing makes an archive without entries of a new file")
    func new() throws {
        let disk = try ArchiveOnDisk("")
        _ = try Recorder(StubTransport(), to: disk.file)
        #expect(try Replay(disk.file).unused == [])
    }

    struct Form: FlatRequest {
        var token = "t0k3n-2"
        var nested = "t0k3n-3"
        static let endpoint = Endpoint<Self>(
            method: .post, path: "form",
            parameters: [
                .form("user[token]", path: \.nested), .query("auth_token", path: \.token),
            ],
            headers: ["X-Api-Key": "t0k3n-4", "X-Own": "t0k3n-5", .authorization: "t0k3n-6"])
        static let loadPolicy = LoadPolicy(sensitiveHeaders: ["X-Own"])
        typealias Response = Data
    }

    /// The comment of an entry of a form, with masks of these names, and whether the file shows the
    /// value.
    private func comment<Request: RequestType & Sendable>(
        _ request: Request, masking names: SecretNames = []
    ) async throws -> (comment: String, archive: String)
    where Request.Environment == ServerEnvironment {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Get.self, .status(204))
        stub.on(Form.self, .status(204))
        let recorder = try Recorder(stub, to: disk.file, masking: names)
        _ = try? await recorder.response(in: server, with: request)
        let archive = try HTTPArchive(contentsOf: disk.file)
        let text = try String(contentsOf: disk.file, encoding: .utf8)
        return (archive.entries.first?.comment ?? "", text)
    }

    @Test("The comment advises to leave out a name only if its value is then recorded")
    func advice() async throws {
        #expect(
            try await comment(Get()).comment == "Secrets are masked: the values of Authorization")
        let form = try await comment(Form())
        #expect(
            form.comment == """
                Secrets are masked: the values of Authorization, X-Api-Key, X-Own, auth_token, \
                user[token]. To record X-Api-Key as it is, pass \
                `masking: SecretNames().subtracting(["X-Api-Key"])`
                """)
        let shown = try await comment(Form(), masking: SecretNames().subtracting(["X-Api-Key"]))
        #expect(!form.archive.contains("t0k3n-4") && shown.archive.contains("t0k3n-4"))
        #expect(shown.comment.hasSuffix(#"`masking: SecretNames().subtracting(["auth_token"])`"#))
    }
}

@Suite("Recordings of streams that break off")
struct BrokenRecordingTests {
    struct Ask: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "ask")
        typealias Response = EventStream<ServerSentEvent>
    }

    /// A stream that brings one event and then ends with an error.
    private struct Broken: Transport {
        let error: any Error

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let stub = StubTransport()
            stub.on(Ask.self, .chunks([], headers: ["Content-Type": "text/event-stream"]))
            var response = try await stub.send(request)
            let (rest, error) = (Locked<Data?>(Data("data: a\n\n".utf8)), self.error)
            response.body = ResponseBody {
                guard let data = rest.withLock({ $0.take() }) else { throw error }
                return data
            }
            return response
        }
    }

    private struct Own: Error {}

    private func events(by transport: any Transport) async throws -> (texts: [String], code: Int) {
        var texts: [String] = []
        do throws(StreamError) {
            let stream: EventStream<ServerSentEvent>
            do { stream = try await transport.response(in: server, with: Ask()) } catch {
                return (["\(error)"], 0)
            }
            for try await event in stream { texts.append(event.data) }
            return (texts, 0)
        } catch .urlLoadError(let error) {
            return (texts, error.code.rawValue)
        } catch {
            return (texts, 1)
        }
    }

    static let errors: [(error: any Error, code: Int)] = [
        (URLError(.timedOut), URLError.Code.timedOut.rawValue),
        (URLError(.networkConnectionLost), URLError.Code.networkConnectionLost.rawValue),
        (URLError(.dataLengthExceedsMaximum), URLError.Code.dataLengthExceedsMaximum.rawValue),
        (Own(), URLError.Code.networkConnectionLost.rawValue),
    ]

    @Test(
        "A stream that breaks off is recorded as far as it arrived, and replayed with its error",
        arguments: errors)
    func broken(_ row: (error: any Error, code: Int)) async throws {
        let disk = try ArchiveOnDisk("")
        let loaded = try await events(by: Recorder(Broken(error: row.error), to: disk.file))
        #expect(loaded.texts == ["a"] && loaded.code != 0)
        let replayed = try await events(by: Replay(disk.file))
        #expect(replayed.texts == ["a"] && replayed.code == row.code)
    }
}

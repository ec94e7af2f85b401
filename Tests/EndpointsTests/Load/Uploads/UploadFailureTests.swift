import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads that can't be sent whole", .needsServers, .timeLimit(.minutes(5)))
struct UploadFailureTests {
    struct Put: FlatRequest, Sendable {
        let key: String
        let pieces: [Upload.Piece]
        /// Called after the first bytes were sent.
        var meanwhile: (@Sendable () throws -> Void)?
        var to: String?

        static let endpoint = Endpoint<Put>(
            method: .put, path: "-/\(path: \.action)",
            parameters: [
                .query("key", path: \.key), .query("to", path: \.to),
                .query("status", path: \.status),
            ])
        typealias Response = Data

        var action: String { to == nil ? "echo" : "redirect" }
        var status: Int { to == nil ? 200 : 307 }

        func prepare(_ request: inout URLRequest) {
            var upload = Upload(pieces)
            upload.observe = { _, _ in try meanwhile?() }
            request.upload = upload
        }
    }

    /// The requests with a key that have arrived whole.
    struct GetLog: FlatRequest {
        let key: String
        static let endpoint = Endpoint<GetLog>(method: .get, path: "-/log/\(path: \.key)")
        struct Response: Decodable { let requests: [Recorded] }
    }

    static func arrivals(_ key: String) async throws -> [Recorded] {
        try await Server.recorder.response(to: GetLog(key: key)).requests
    }

    private func fileError(of error: Put.TaskError?) throws -> FileError {
        let error = try #require(error)
        guard case .fileError(let fileError) = error else { throw error }
        return fileError
    }

    @Test("A missing file is a typed error, and nothing is sent", arguments: Way.all)
    func missing(way: Way) async throws {
        let url = URL(fileURLWithPath: "/nowhere/a.bin")
        let put = Put(key: UUID().uuidString, pieces: [.data(Data("a".utf8)), .file(url)])
        let error = await #expect(throws: Put.TaskError.self) {
            try await way.load(put, in: Server.recorder.environment)
        }
        let fileError = try fileError(of: error)
        #expect(fileError == FileError(.missing, at: url))
        #expect(
            "\(fileError)"
                == "there is no such file, or its directory is missing; check the file's URL")
        #expect(try await Self.arrivals(put.key).isEmpty)
    }

    @Test(
        "A file that grows or shrinks while it is sent is a typed error, and isn't taken for whole",
        arguments: Way.all, [0, 1, 2_999_999, 3_000_001, 6_000_000])
    func changed(way: Way, size: Int) async throws {
        let file = try TemporaryFile(count: 3_000_000)
        let put = Put(
            key: UUID().uuidString, pieces: [.file(file.url)],
            meanwhile: { try Data(count: size).write(to: file.url, options: []) })
        let error = await #expect(throws: Put.TaskError.self) {
            try await way.load(put, in: Server.recorder.environment)
        }
        let fileError = try fileError(of: error)
        #expect(fileError == FileError(.changed, at: file.url))
        #expect(try await Self.arrivals(put.key).isEmpty)
    }

    @Test("A file that is removed while it is sent arrives whole", arguments: Way.all)
    func removed(way: Way) async throws {
        let file = try TemporaryFile(count: 3_000_000)
        let bytes = try Data(contentsOf: file.url)
        let put = Put(
            key: UUID().uuidString, pieces: [.file(file.url)],
            meanwhile: { try? FileManager.default.removeItem(at: file.url) })
        _ = try await way.load(put, in: Server.recorder.environment)
        #expect(try await Self.arrivals(put.key).map(\.bytes) == [bytes])
    }

    @Test("A file that is removed before it is sent again is a typed error", arguments: Way.all)
    func removedBeforeRedirect(way: Way) async throws {
        let file = try TemporaryFile(count: 10)
        let key = UUID().uuidString
        let put = Put(
            key: key, pieces: [.file(file.url)],
            meanwhile: { try? FileManager.default.removeItem(at: file.url) },
            to: "/-/echo?key=\(key)")
        let error = await #expect(throws: Put.TaskError.self) {
            try await way.load(put, in: Server.recorder.environment)
        }
        let fileError = try fileError(of: error)
        #expect(fileError == FileError(.missing, at: file.url))
        #expect(try await Self.arrivals(key).map(\.target).count == 1)
    }

    @Test("A cancelled upload ends as cancelled, and the server doesn't get it", arguments: Way.all)
    func cancelled(way: Way) async throws {
        let file = try TemporaryFile(count: 3_000_000)
        let put = Put(
            key: UUID().uuidString, pieces: [.file(file.url)],
            meanwhile: { throw CancellationError() })
        let error = await #expect(throws: Put.TaskError.self) {
            try await way.load(put, in: Server.recorder.environment)
        }
        guard case .cancelled = try #require(error) else { throw try #require(error) }
        #expect(try await Self.arrivals(put.key).isEmpty)
    }
}

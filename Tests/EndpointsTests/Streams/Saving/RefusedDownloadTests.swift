import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Downloads that are refused or cancelled", .timeLimit(.minutes(5)))
struct RefusedDownloadTests {
    typealias GetFile = ContinuedDownloadTests.GetFile

    /// A body that is not in memory.
    private static func body(_ chunks: String...) -> ResponseBody {
        let rest = Locked(chunks[...])
        return ResponseBody { rest.withLock { $0.popFirst() }.map { Data($0.utf8) } }
    }

    private func stream(_ fields: [String: String] = [:]) async throws -> ByteStream {
        try await ClosureTransport { _ in
            TransportResponse(body: Self.body("new"), try .stub(200, fields))
        }
        .response(in: .production, with: GetFile())
    }

    @Test("A stream that was read before is saved nowhere, and the existing file stays as it is")
    func secondSave() async throws {
        let folder = try Folder()
        try Data("old".utf8).write(to: folder.file)
        let stream = try await stream()
        _ = try await stream.collected()
        let error = await #expect(throws: StreamError.self) {
            try await stream.save(to: folder.file, ifExists: .replace)
        }
        #expect(
            error?.description
                == "GetFile: the response has been read before, and can be read only once while it "
                + "arrives; load it again, or keep what you read")
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        #expect(try folder.names == ["file"])
    }

    @Test(
        "A second loop over the same saving is an error, and the file stays as the first saved it")
    func secondLoop() async throws {
        let folder = try Folder()
        let saving = try await stream().saving(to: folder.file, ifExists: .replace)
        for try await _ in saving {}
        await #expect(throws: StreamError.self) { for try await _ in saving {} }
        #expect(try Data(contentsOf: folder.file) == Data("new".utf8))
    }

    @Test("All bytes of a stream are read up to a limit, and once")
    func allBytes() async throws {
        #expect(try await stream().data() == Data("new".utf8))
        #expect(try await stream().data(upTo: 3) == Data("new".utf8))
        for limit in [2, 0, -1, .min] {
            let stream = try await stream()
            await #expect {
                try await stream.data(upTo: limit)
            } throws: { error in
                guard case .urlLoadError(let error)? = error as? StreamError else { return false }
                return error.code == .dataLengthExceedsMaximum
            }
        }
        let stream = try await stream()
        _ = try await stream.data()
        await #expect {
            _ = try await stream.data()
        } throws: { error in
            if case .endpointError? = error as? StreamError { true } else { false }
        }
    }

    @Test("A stream can be saved elsewhere after a place was refused before the body is read")
    func elsewhere() async throws {
        let folder = try Folder()
        let stream = try await stream()
        let missing = folder.url.appendingPathComponent("no/file")
        await #expect(throws: StreamError.self) { try await stream.save(to: missing) }
        try await stream.save(to: folder.file)
        #expect(try Data(contentsOf: folder.file) == Data("new".utf8))
    }

    @Test("A pipe is refused, and not replaced", arguments: ByteStream.ExistingFile.all)
    func pipe(ifExists: ByteStream.ExistingFile) async throws {
        let folder = try Folder()
        try #require(mkfifo(folder.file.path, 0o600) == 0)
        try await expectNoFile(at: folder.file, ifExists)
        var status = stat()
        #expect(stat(folder.file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    // Not with `.replace`: if the library replaced the device, the machine would miss it.
    @Test("A device is refused")
    func device() async throws {
        try await expectNoFile(at: URL(fileURLWithPath: "/dev/null"), .keep)
    }

    private func expectNoFile(
        at place: URL, _ ifExists: ByteStream.ExistingFile
    ) async throws {
        let stream = try await stream()
        let error = await #expect(throws: StreamError.self) {
            try await stream.save(to: place, ifExists: ifExists)
        }
        guard case .fileError(let error) = error else { return }
        #expect(error.kind == .notAFile)
    }

    /// The rest of a file of 10 bytes, of which 4 have arrived.
    static let rests: [(range: String, rest: String)] = [
        ("bytes 4-9/10", "456789X"), ("bytes 4-3/4", ""), ("bytes 4-1/2", ""),
    ]

    @Test(
        "A rest with more bytes than it says, or that ends before it begins, is an error",
        arguments: rests)
    func tooLong(row: (range: String, rest: String)) async throws {
        let folder = try Folder()
        let (requests, waits) = (Journal<Void>(), Journal<TimeInterval>())
        let transport = ClosureTransport { _ in
            guard requests.add(()) == 1 else {
                return try .stub(206, ["Content-Range": row.range, "ETag": "\"1\""], row.rest)
            }
            let rest = Locked(["0123"])
            let body = ResponseBody {
                guard let text = rest.withLock({ $0.popLast() })
                else { throw URLError(.networkConnectionLost) }
                return Data(text.utf8)
            }
            return TransportResponse(body: body, try .stub(200, ["ETag": "\"1\""]))
        }
        let stream = try await transport.response(in: .production, with: GetFile())
        await #expect(throws: StreamError.self) {
            try await stream.save(to: folder.file, clock: .journal(waits))
        }
        #expect(requests.entries.count == 2)
        #expect(try folder.names.isEmpty)
    }

    @Test("A download that is longer than its Content-Length is an error")
    func longerThanTold() async throws {
        let folder = try Folder()
        let (waits, stream) = (
            Journal<TimeInterval>(), try await stream(["Content-Length": "2"])
        )
        await #expect(throws: StreamError.self) {
            try await stream.save(to: folder.file, clock: .journal(waits))
        }
        #expect(waits.entries.isEmpty)
        #expect(try folder.names.isEmpty)
    }

    @Test("Cancelling the Progress of a download ends it at once, though nothing arrives")
    func cancelled() async throws {
        let folder = try Folder()
        let (arrived, progress, calls) = (Gate(), Progress(totalUnitCount: 1), Journal<String>())
        progress.cancellationHandler = { calls.add("the program's own handler") }
        let transport = ClosureTransport { _ in
            let body = ResponseBody {
                let silence = Gate()
                await withTaskCancellationHandler {
                    arrived.open()
                    await silence.pass()
                } onCancel: {
                    silence.open()
                }
                throw CancellationError()
            }
            return TransportResponse(body: body, try .stub(200))
        }
        let (url, stream) = (
            folder.file, try await transport.response(in: .production, with: GetFile())
        )
        let task = Task { try await stream.save(to: url, progress: progress) }
        await arrived.pass()
        progress.cancel()
        let error = await #expect(throws: StreamError.self) { try await task.value }
        guard case .cancelled = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(calls.entries == ["the program's own handler"])
        #expect(try folder.names.isEmpty)
    }
}

extension ByteStream.ExistingFile {
    static let all: [ByteStream.ExistingFile] = [.refuse, .keep, .replace]
}

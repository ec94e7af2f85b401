import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A directory of a test's own.
struct Folder: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var file: URL { url.appendingPathComponent("file") }

    /// All that is in it, hidden files too.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path) }
    }
}

extension ByteStream {
    /// Saves without waiting, and returns the progress.
    func saved(
        to destination: URL, ifExists: ExistingFile = .refuse
    ) async throws(StreamError) -> [TransferProgress] {
        var steps = saving(to: destination, ifExists: ifExists, clock: .immediate)
            .makeAsyncIterator()
        var all: [TransferProgress] = []
        while let step = try await steps.next() { all.append(step) }
        return all
    }
}

@Suite("Saving a stream", .needsServers, .timeLimit(.minutes(5)))
struct SaveTests {
    @Test("Of 1,000 downloads, each cut at random bytes and continued, all are whole files")
    func cuts() async throws {
        let (saved, continued) = (Locked(0), Locked(0))
        try await downloads(1000) { folder, n, how, random in
            let count = Int.random(in: 1...3, using: &random)
            let cuts = (0..<count).map { _ in Int.random(in: 0...max(n, 1), using: &random) }
            let request = GetFile(n: n, cuts: cuts.sorted(), how: how)
            let stream: ByteStream
            do {
                stream = try await Server.faults.response(to: request)
            } catch let error as GetFile.TaskError {
                // A connection that is cut early may be lost before its head is read.
                #expect(error.errorCode == 20_000 - URLError.Code.networkConnectionLost.rawValue)
                let names = try folder.names
                #expect(names.isEmpty)
                return
            }
            let steps = try await stream.saved(to: folder.file)
            #expect(steps.last?.fraction == 1)
            #expect(try Data(contentsOf: folder.file) == GetFile.content(n))
            let names = try folder.names
            #expect(names == ["file"])
            saved.withLock { $0 += 1 }
            let asked = CancellationTests.Asked(key: request.key)
            let requests = try await Server.faults.response(to: asked).asked
            if requests > 1 { continued.withLock { $0 += 1 } }
        }
        let numbers = (saved: saved.withLock(\.self), continued: continued.withLock(\.self))
        // Most connections last until the head is read.
        #expect(numbers.saved > 900, "\(numbers)")
        #expect(numbers.continued > 800, "\(numbers)")
    }

    @Test("Of 1,000 downloads that are cut and can't be continued, none leaves a file")
    func cutPosts() async throws {
        try await downloads(1000) { folder, n, how, random in
            let cut = Int.random(in: 0..<max(n, 1), using: &random)
            await #expect(throws: (any Error).self) {
                let request = PostFile(file: GetFile(n: max(n, 1), cuts: [cut], how: how))
                let stream = try await Server.faults.response(to: request)
                _ = try await stream.saved(to: folder.file)
            }
            let names = try folder.names
            #expect(names.isEmpty)
        }
    }

    /// Downloads into a folder for each, some at once. One of ten files is large.
    private func downloads(
        _ count: Int,
        _ download:
            @escaping @Sendable (
                _ folder: borrowing Folder, _ n: Int, _ how: String, inout SplitMix64
            ) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 16 { try await group.next() }
                group.addTask {
                    var random = SplitMix64(seed: UInt64(number))
                    let most = number % 10 == 0 ? 400_000 : 20_000
                    let n = Int.random(in: 0...most, using: &random)
                    let how = Bool.random(using: &random) ? "fin" : "rst"
                    try await download(Folder(), n, how, &random)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "A download starts over if the server can't promise that the rest belongs to the beginning",
        arguments: [
            ["etag": "W/\"1\""], ["etag": ""], ["etag": "\"COUNT\""], ["whole": "1"],
            ["coding": "1"],
        ])
    func startsOver(_ settings: [String: String]) async throws {
        let folder = try Folder()
        let request = GetFile(n: 300_000, cuts: [200_000, 100_000], settings: settings)
        let stream = try await Server.faults.response(to: request)
        let steps = try await stream.saved(to: folder.file)
        #expect(try Data(contentsOf: folder.file) == GetFile.content(300_000))
        #expect(steps.map(\.completed) == steps.map(\.completed).sorted())
        #expect(steps.filter { $0.fraction == 1 }.count == 1)
        let asked = CancellationTests.Asked(key: request.key)
        #expect(try await Server.faults.response(to: asked).asked == 3)
    }

    @Test("A download ends if the server refuses its rest", arguments: [403, 404, 416])
    func refused(_ status: Int) async throws {
        let folder = try Folder()
        let request = GetFile(cuts: [500], settings: ["then": "\(status)"])
        let stream = try await Server.faults.response(to: request)
        do throws(StreamError) {
            _ = try await stream.saved(to: folder.file)
            Issue.record("the file is saved")
        } catch .unexpectedResponse(let httpResponse) {
            #expect(httpResponse.statusCode == status)
        } catch {
            Issue.record(error)
        }
        #expect(try folder.names.isEmpty)
    }

    @Test("A file that exists is refused, kept or replaced, as the caller chooses")
    func existing() async throws {
        let folder = try Folder()
        try Data("old".utf8).write(to: folder.file)
        let refused = try await Server.faults.response(to: GetFile())
        do throws(StreamError) {
            try await refused.save(to: folder.file)
            Issue.record("the file is replaced")
        } catch .fileError(let error) {
            #expect(error == FileError(.exists, at: folder.file))
        } catch {
            Issue.record(error)
        }
        try await Server.faults.response(to: GetFile()).save(to: folder.file, ifExists: .keep)
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file)
        let kept = try await Server.faults.response(to: GetFile()).saved(to: link, ifExists: .keep)
        #expect(kept.map(\.completed) == [3])
        try FileManager.default.removeItem(at: link)
        try await Server.faults.response(to: GetFile()).save(to: folder.file, ifExists: .replace)
        #expect(try Data(contentsOf: folder.file) == GetFile.content(1000))
        #expect(try folder.names == ["file"])
    }

    @Test("A file that appears while a download runs is not replaced unasked")
    func appearing() async throws {
        let folder = try Folder()
        let stream = try await Server.faults.response(to: GetFile(n: 1_000_000))
        var steps = stream.saving(to: folder.file).makeAsyncIterator()
        _ = try await steps.next()
        try Data("new".utf8).write(to: folder.file)
        do throws(StreamError) {
            while try await steps.next() != nil {}
            Issue.record("the file is replaced")
        } catch .fileError(let error) {
            #expect(error.kind == .exists)
        } catch {
            Issue.record(error)
        }
        #expect(try Data(contentsOf: folder.file) == Data("new".utf8))
    }

    static let badPlaces: [(path: String, n: Int, kind: FileError.Kind)] = [
        ("/no/such/directory/file", 1000, .missing),
        ("/dev/null/file", 1000, .notAFile),
        ("/sys/file", 1000, .notPermitted),
        ("/", 1000, .notAFile),
        (NSTemporaryDirectory() + "/endpoints-too-large", 1 << 60, .outOfSpace),
    ]

    @Test(
        "A download to a place that can't be written ends with an error that says why",
        arguments: badPlaces)
    func places(_ place: (path: String, n: Int, kind: FileError.Kind)) async throws {
        let stream = try await Server.faults.response(to: GetFile(n: place.n))
        do throws(StreamError) {
            try await stream.save(to: URL(fileURLWithPath: place.path))
            Issue.record("the file is saved")
        } catch .fileError(let error) {
            #expect(error.kind == place.kind)
        } catch {
            Issue.record(error)
        }
    }

    @Test("A download that fills the disk ends with an error that says so")
    func fullDisk() throws {
        let disk = URL(fileURLWithPath: "/dev/full")
        let file = PartFile(try OpenFile(open(disk.path, O_WRONLY), at: disk), destination: disk)
        do throws(FileError) {
            try file.write(Data([1]), at: 0)
            Issue.record("the byte is written")
        } catch {
            #expect(error.kind == .outOfSpace)
        }
    }

    @Test(
        "The progress of a download grows to 1, which it is only when the file exists",
        arguments: [0, 1, 3_000_000])
    func progress(_ n: Int) async throws {
        let folder = try Folder()
        let stream = try await Server.faults.response(to: GetFile(n: n))
        var fractions: [Double] = []
        for try await step in stream.saving(to: folder.file) {
            fractions.append(try #require(step.fraction))
            #expect(
                FileManager.default.fileExists(atPath: folder.file.path) == (step.fraction == 1))
        }
        #expect(fractions == fractions.sorted())
        #expect(fractions.filter { $0 == 1 }.count == 1)
        #expect(n < 1_000_000 || fractions.count > 5)
    }

    @Test(
        "The Progress of a download is finished when the file exists", arguments: [0, 1, 1_000_000])
    func foundationProgress(_ n: Int) async throws {
        let folder = try Folder()
        let progress = Progress(totalUnitCount: -1)
        try await Server.faults.response(to: GetFile(n: n))
            .save(to: folder.file, progress: progress)
        #expect(progress.isFinished)
        #expect(progress.fractionCompleted == 1)
        #expect(progress.totalUnitCount == Int64(max(n, 1)))
    }

    @Test("Cancelling the Progress of a download ends it as cancelled, and there is no file")
    func cancelledProgress() async throws {
        let folder = try Folder()
        let progress = Progress(totalUnitCount: -1)
        let stream = try await Server.faults.response(to: GetFile(n: 1_000_000))
        progress.cancel()
        do throws(StreamError) {
            try await stream.save(to: folder.file, progress: progress)
            Issue.record("the file is saved")
        } catch .cancelled {
        } catch {
            Issue.record(error)
        }
        #expect(!progress.isFinished)
        #expect(try folder.names.isEmpty)
    }

    @Test("Leaving the loop over the progress removes what was written")
    func leaving() async throws {
        let folder = try Folder()
        let stream = try await Server.faults.response(to: GetFile(n: 5_000_000))
        for try await _ in stream.saving(to: folder.file) {
            #expect(try folder.names.count == 1)
            break
        }
        #expect(try folder.names.isEmpty)
    }
}

import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Files that a download replaces", .timeLimit(.minutes(5)))
struct ReplacedFileTests {
    private func stream() async throws -> ByteStream {
        try await ClosureTransport { _ in try .stub(200, [:], "new") }
            .response(in: .production, with: ContinuedDownloadTests.GetFile())
    }

    private func mode(_ url: URL) -> mode_t {
        var status = stat()
        return lstat(url.path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test(
        "A file that is replaced leaves its permissions to the new one",
        arguments: [0o600, 0o640, 0o400, 0o755, 0o666] as [mode_t])
    func permissions(mode: mode_t) async throws {
        let folder = try Folder()
        try Data("old".utf8).write(to: folder.file)
        #expect(chmod(folder.file.path, mode) == 0)
        try await stream().save(to: folder.file, ifExists: .replace)
        #expect(self.mode(folder.file) == mode)
        #expect(try Data(contentsOf: folder.file) == Data("new".utf8))
        #expect(try folder.names == ["file"])
    }

    @Test("While it arrives, the new file is no more readable than the one that it replaces")
    func whileArriving() async throws {
        let folder = try Folder()
        try Data("old".utf8).write(to: folder.file)
        #expect(chmod(folder.file.path, 0o600) == 0)
        let part = try PartFile(for: folder.file)
        try part.write(Data("new".utf8), at: 0)
        let name = try #require(try folder.names.first { $0.hasSuffix(".part") })
        #expect(mode(folder.url.appendingPathComponent(name)) == 0o600)
    }

    @Test("A part can be gone on with, though the file that it replaces can't be written")
    func readOnly() async throws {
        let folder = try Folder()
        try Data("old".utf8).write(to: folder.file)
        #expect(chmod(folder.file.path, 0o444) == 0)
        let part = try #require(try PartFile(for: folder.file, key: .random))
        try part.write(Data("new".utf8), at: 0)
        let name = try #require(try folder.names.first { $0.hasSuffix(".part") })
        #expect(mode(folder.url.appendingPathComponent(name)) == 0o644)
        try await part.move(replacing: true)
        #expect(mode(folder.file) == 0o444)
    }

    enum Link: CaseIterable {
        case absolute, relative, ofLink, outOfFolder, dangling
    }

    @Test(
        "Through a symbolic link, the file that it leads to is replaced", arguments: Link.allCases)
    func links(_ link: Link) async throws {
        let folder = try Folder()
        let other = try Folder()
        let target = link == .outOfFolder ? other.file : folder.url.appendingPathComponent("target")
        if link != .dangling {
            try Data("old".utf8).write(to: target)
            #expect(chmod(target.path, 0o600) == 0)
        }
        let place = folder.file.path
        switch link {
        case .absolute, .dangling, .outOfFolder: #expect(symlink(target.path, place) == 0)
        case .relative: #expect(symlink("../\(folder.url.lastPathComponent)/target", place) == 0)
        case .ofLink:
            #expect(symlink("second", place) == 0)
            let second = folder.url.appendingPathComponent("second").path
            #expect(symlink("target", second) == 0)
        }
        try await stream().save(to: folder.file, ifExists: .replace)
        #expect(mode(folder.file) & 0o777 == 0o777, "the link is there")
        #expect(try Data(contentsOf: target) == Data("new".utf8))
        if link != .dangling { #expect(mode(target) == 0o600) }
        let names = try folder.names + other.names
        #expect(!names.contains { $0.hasSuffix(".part") })
    }

    @Test("A link in a circle is an error, and stays")
    func circle() async throws {
        let folder = try Folder()
        #expect(symlink("file", folder.file.path) == 0)
        let stream = try await stream()
        await #expect(throws: StreamError.self) {
            try await stream.save(to: folder.file, ifExists: .replace)
        }
        #expect(try folder.names == ["file"])
    }
}

import Endpoints
import Foundation
import Testing

@testable import EndpointsDurable

@Suite("Outbox: files")
struct OutboxFileTests {
    struct AddPhoto: FlatRequest, OutboxRequest {
        let photo: OutboxFile
        var second: OutboxFile?
        var outboxKey: String? { nil }
        var body: File { photo.file }
        static let endpoint = Endpoint<Self>(method: .post, path: "photos")
        typealias Response = Void
    }

    static let types: [OutboxType<ServerEnvironment>] = [.type(AddPhoto.self)]

    /// A file that is removed with the folder.
    private func file(_ text: String, in folder: TestFolder) throws -> URL {
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        let url = folder.url.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data(text.utf8).write(to: url)
        return url
    }

    private func copies(_ box: Box) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: box.folder.url.path)
            .filter { $0.hasSuffix(".body") }.sorted()
    }

    @Test("A copied file is sent though the file is gone, and the copy goes with the entry")
    func copied() async throws {
        let (box, others) = (Box(), TestFolder())
        let photo = try file("photo", in: others)
        let request = AddPhoto(photo: OutboxFile(photo), second: OutboxFile(photo))
        let id = try await box.open(Self.types).send(request)
        try FileManager.default.removeItem(at: photo)
        #expect(try copies(box) == ["\(id.uuidString)-0.body", "\(id.uuidString)-1.body"])
        let outbox = try box.open(Self.types)
        let stored = try #require(try outbox.request(of: id, as: AddPhoto.self))
        #expect(stored.photo.contentType == .jpeg)
        #expect(stored.photo.name == photo.lastPathComponent)
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.texts == ["photo"])
        #expect(try copies(box).isEmpty)
    }

    @Test("A cancelled entry has no copy any more")
    func cancelled() async throws {
        let (box, others) = (Box(), TestFolder())
        let outbox = try box.open(Self.types)
        let photo = OutboxFile(try file("photo", in: others))
        let id = try await outbox.send(AddPhoto(photo: photo))
        try await outbox.cancel(id)
        #expect(try copies(box).isEmpty)
    }

    @Test("A file that is only referenced is read when it is sent, and is a refusal if it is gone")
    func referenced() async throws {
        let (box, others) = (Box(), TestFolder())
        let outbox = try box.open(Self.types, policy: OutboxPolicy(setAsideAfter: 1))
        let photo = try file("photo", in: others)
        let request = AddPhoto(photo: OutboxFile(photo, keeping: .referenced))
        try await outbox.send(request)
        #expect(try copies(box).isEmpty)
        try Data("later".utf8).write(to: photo)
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.texts == ["later"])
        try await outbox.send(request)
        try FileManager.default.removeItem(at: photo)
        #expect(try await outbox.sendAll() == 1)
        #expect(outbox.currentEntries[0].state.isSetAside)
    }

    @Test("A file that can't be copied is an error, and nothing is kept")
    func missing() async throws {
        let (box, others) = (Box(), TestFolder())
        let outbox = try box.open(Self.types)
        for url in [others.url, URL(fileURLWithPath: "/dev/null")] {
            let error = await #expect(throws: OutboxError.self) {
                try await outbox.send(AddPhoto(photo: OutboxFile(url)))
            }
            #expect(
                "\(try #require(error))".hasPrefix(
                    "a file of the outbox or of the request can't be used: "))
        }
        #expect(outbox.currentEntries.isEmpty)
        #expect(try copies(box).isEmpty)
    }

    @Test("Copies that an earlier process has left are removed when an hour old, no other files")
    func left() throws {
        let box = Box()
        try FileManager.default.createDirectory(
            at: box.folder.url, withIntermediateDirectories: true)
        let (old, new) = (OutboxCopies.name(0, UUID()), OutboxCopies.name(0, UUID()))
        let others = ["mine.body", "\(UUID().uuidString).body", "\(UUID().uuidString)-+1.body"]
        for (name, age) in [(old, 4000.0), (new, 0)] + others.map({ ($0, 4000) }) {
            let url = box.folder.url.appendingPathComponent(name)
            try Data("x".utf8).write(to: url)
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - age], ofItemAtPath: url.path)
        }
        _ = try box.open(Self.types)
        #expect(try copies(box) == (others + [new]).sorted())
    }
}

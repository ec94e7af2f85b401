import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct GetThing: FlatRequest {
    let name: String
    let words: String
    static let endpoint = Endpoint<Self>(
        method: .get, path: "things/\(path: \.name)", parameters: [.query("q", path: \.words)],
        headers: ["X-Note": .fieldValue(value: "a,  b \t c"), "Date": .fieldValue(value: "today")])
    typealias Response = String
}

private struct AddThing: FlatRequest {
    struct Thing: Encodable { let name: String }
    let place: String
    let body: Thing
    static let endpoint = Endpoint<Self>(method: .post, path: "\(path: \.place)")
    typealias Response = String
}

private struct PutFile: FlatRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .put, path: "file")
    typealias Response = String
}

private struct DeleteThing: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .delete, path: "thing")
    typealias Response = Void
}

private struct GetArchive: FlatRequest {
    let place: String
    static let endpoint = Endpoint<Self>(method: .get, path: "\(path: \.place)")
    typealias Response = ByteStream
}

/// Loads from the server of message_signatures.py, which verifies each request and signs each
/// response, and prints a line for each load: its name, and what it got.
struct Loads {
    private let client: EndpointClient<ServerEnvironment>
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("loads-\(UUID().uuidString)")

    init(from server: URL, secret: Data) {
        let signer = MessageSigner(
            key: .hmacSHA256(secret, id: "client"),
            covering: [.method, .targetURI, .authority, .path, .query],
            coveringIfPresent: ["Content-Type", "X-Note", "Date", .query("q")],
            nonce: MessageSigner.randomNonce)
        let verifier = MessageVerifier(
            keys: [.hmacSHA256(secret, id: "server")],
            requiring: [.status, "Content-Type", .method.ofRequest, .targetURI.ofRequest])
        client = EndpointClient(
            URLSession.shared.signed(by: signer).verified(by: verifier).retrying(),
            in: ServerEnvironment(baseUrl: server))
    }

    func run() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("sent")
        try Data((0..<5_000_003).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: file)

        await show("get") {
            try await client(GetThing(name: "a/b ü~*'()!", words: "x + y&z=ü*~'()"))
        }
        await show("post") { try await client(AddThing(place: "add", body: .init(name: "ü"))) }
        await show("put") { try await client(PutFile(body: File(file))) }
        await show("delete") {
            try await client(DeleteThing())
            return "done"
        }
        await show("redirect") {
            try await client(AddThing(place: "redirect", body: .init(name: "x")))
        }
        await show("save") { try await save("archive") }
        await show("changed file") { try await save("changed-archive") }
        await show("lost file") { try await save("lost-archive") }
        for place in ["changed", "unsigned", "other-request", "old", "gzip"] {
            await show(place) { try await client(AddThing(place: place, body: .init(name: ""))) }
        }
    }

    private func save(_ place: String) async throws -> String {
        let file = folder.appendingPathComponent("saved")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            try await client(GetArchive(place: place)).save(to: file, ifExists: .replace)
        } catch {
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            guard left == ["sent"] else { return "left \(left)" }
            throw error
        }
        return "\(try Data(contentsOf: file).count) bytes"
    }

    private func show(_ name: String, _ load: () async throws -> String) async {
        let result: String
        do { result = try await load() } catch { result = "\(error)" }
        print("\(name): \(result)")
    }
}

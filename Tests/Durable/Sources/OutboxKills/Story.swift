import Endpoints
import EndpointsDurable
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What somebody does with an outbox, always the same, so that each call that changes a file can be
/// the one that fails, or the last one: see outbox.py.
///
/// Prints what the outbox says, as `kept TEXT`, and `effect KEY TEXT` for each request that the
/// server gets.
struct Story {
    private let folder: URL
    private let photos: URL
    private let tokens = Main.credentials(Self.url, "ann")
    private let outbox: Outbox

    private static let url = URL(string: "https://h.example") ?? URL(fileURLWithPath: "/")

    /// - Parameters:
    ///   - photos: A folder in which files are made that are sent.
    ///   - isEnd: Whether this is the process that sends what the first one has left.
    init(_ folder: URL, photos: URL, isEnd: Bool) throws {
        (self.folder, self.photos) = (folder, photos)
        var clock = TransportClock.system
        clock.sleep = { try await TransportClock.system.sleep($0 / 50) }
        clock.uptime = { TransportClock.system.uptime() * 50 }
        let api = EndpointClient(
            PrintingServer(refusesBad: !isEnd).authorized(by: tokens),
            in: ServerEnvironment(baseUrl: Self.url))
        outbox = try Outbox(
            in: folder, sending: api, requests: [.type(AddNote.self), .type(AddPhoto.self)],
            policy: OutboxPolicy(
                setAsideAfter: 1, whenSetAside: .goOn, whenSignedOut: isEnd ? .keep : .drop,
                longestDelay: 2),
            clock: clock)
    }

    func begin() async {
        await add("a1", key: "a")
        let cancelled = [await add("a2", key: "a"), await addPhoto("p1")]
        for (text, id) in zip(["a2", "p1"], cancelled) {
            guard let id else { continue }
            Main.say("cancelling \(text)")
            do {
                try await outbox.cancel(id)
                Main.say("cancelled \(text)")
            } catch { Main.say("uncancelled \(text)") }
        }
        let bad = await add("bad", key: "a")
        await addPhoto("p2")
        await send()
        if let bad { _ = try? await outbox.retry(bad) }
        // The journal is replaced by a shorter one after these.
        let filler = String(repeating: "x", count: 100_000)
        for text in ["b1", "b2", "b3"] { await add(text + filler, key: "b") }
        await send()
        await add("d1", key: "d")
        await addPhoto("d2")
        Main.say("dropping d")
        tokens.signOut()
        Main.say("dropped d")
        tokens.signIn(Main.token("ben"))
        await add("e1", key: "d")
        await send()
        tokens.signIn(Main.token("ann"))
        await add("f1", key: "d")
        await send()
    }

    /// Sends all, and says what is left.
    func end() async throws {
        for account in ["ann", "ben"] {
            tokens.signIn(Main.token(account))
            for entry in outbox.currentEntries { try await outbox.retry(entry.id) }
            await send()
        }
        for entry in outbox.currentEntries { Main.say("left \(entry.name) \(entry.state)") }
    }

    private func send() async {
        do { try await outbox.sendAll() } catch { Main.say("unsent \(error)") }
    }

    @discardableResult
    private func add(_ text: String, key: String) async -> OutboxEntry.ID? {
        await keep(AddNote(key, text), as: String(text.prefix { $0 != "x" }))
    }

    @discardableResult
    private func addPhoto(_ text: String) async -> OutboxEntry.ID? {
        let file = photos.appendingPathComponent("\(text).txt")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return await keep(AddPhoto(photo: OutboxFile(file)), as: text)
    }

    private func keep(_ request: some OutboxRequest, as text: String) async -> OutboxEntry.ID? {
        do throws(OutboxError) {
            let id = try await outbox.send(request)
            Main.say("kept \(text)")
            return id
        } catch {
            Main.say("failed \(text)")
            return nil
        }
    }
}

struct AddPhoto: FlatRequest, OutboxRequest {
    let photo: OutboxFile
    var body: File { photo.file }
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(method: .post, path: "photos")
    typealias Response = Void
}

/// A server that prints what it gets.
private struct PrintingServer: Transport {
    let refusesBad: Bool

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var data = request.urlRequest.httpBody ?? Data()
        if let upload = request.upload {
            data = Data()
            for try await chunk in try upload.chunks() { data.append(chunk) }
        }
        let body = try? JSONDecoder().decode([String: String].self, from: data)
        let text = body?["text"] ?? String(decoding: data, as: UTF8.self)
        let headers = request.urlRequest.allHTTPHeaderFields ?? [:]
        let isRefused = refusesBad && text == "bad"
        if !isRefused {
            let account = headers["Authorization"] ?? "-"
            Main.say(
                "effect \(headers["Idempotency-Key"] ?? "-") \(account.dropFirst(7)) "
                    + text.prefix { $0 != "x" })
        }
        guard let url = request.urlRequest.url,
            let head = HTTPURLResponse(
                url: url, statusCode: isRefused ? 422 : 204, httpVersion: "HTTP/1.1",
                headerFields: [:])
        else { throw URLError(.badURL) }
        return TransportResponse(Data(), head)
    }
}

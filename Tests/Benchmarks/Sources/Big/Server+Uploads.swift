import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the fault server says of a body that it doesn't keep.
struct Sink: Decodable {
    let count: Int
    /// Whether the bytes are those of ``GetFile``.
    let isFile: Bool
}

/// A file for the fault server.
struct SendFile: FlatRequest {
    let body: File
    static let endpoint = Endpoint<SendFile>(method: .put, path: "-/stream/sink")
    typealias Response = Sink
}

/// A form with a file for the fault server.
struct SendForm: FlatRequest {
    let title: String
    let file: File
    static let endpoint = Endpoint<SendForm>(
        method: .post, path: "-/stream/sink",
        parameters: [.part("title", path: \.title), .part("file", path: \.file)])
    typealias Response = Sink
}

extension Server {
    @Sendable func send(_ count: Int) async throws {
        let file = try LargeFile(count)
        let sink = try await Self.transport.response(
            in: environment, with: SendFile(body: File(file.url)))
        guard sink.count == count, sink.isFile
        else { throw Difference(text: "\(sink) is not the file") }
    }

    @Sendable func sendForm(_ count: Int) async throws {
        let file = try LargeFile(count)
        let form = SendForm(title: "large", file: File(file.url))
        let length = try form.urlRequest(in: environment).upload?.contentLength
        let sink = try await Self.transport.response(in: environment, with: form)
        guard sink.count > count, Int64(sink.count) == length
        else { throw Difference(text: "\(sink) is not the form") }
    }
}

/// The file of the fault server, on disk until this is released.
private final class LargeFile {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("big-\(UUID().uuidString)")

    init(_ count: Int) throws {
        let turn = Data((0..<251).map { UInt8($0) })
        var block = Data()
        while block.count < 1 << 20 { block.append(turn) }
        try Data().write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        var left = count
        while left > 0 {
            try handle.write(contentsOf: block.prefix(left))
            left -= min(left, block.count)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}

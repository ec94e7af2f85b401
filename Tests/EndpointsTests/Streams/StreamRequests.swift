import Endpoints
import EndpointsStreams
import Foundation

/// A file of the fault server, as the bytes arrive.
struct GetFile: FlatRequest, Sendable {
    var n = 1000
    var key = UUID().uuidString
    /// Where the first connections are cut, from the beginning of the file.
    var cuts: [Int] = []
    var how: String?
    var settings: [String: String] = [:]

    static let endpoint = Endpoint<GetFile>(
        method: .get, path: "-/stream/file",
        parameters: [
            .query("n", path: \.n), .query("key", path: \.key), .query("cuts", path: \.cutText),
            .query("how", path: \.how), .query(contentsOf: \.settingItems),
        ])
    typealias Response = ByteStream

    var cutText: String { cuts.map(String.init).joined(separator: "-") }
    var settingItems: [URLQueryItem] {
        settings.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    }

    /// The bytes that the server has.
    static func content(_ count: Int) -> Data { Data((0..<count).map { UInt8($0 % 251) }) }
}

/// The same by a POST, which is never sent again.
struct PostFile: FlatRequest, Sendable {
    var file = GetFile()

    static let endpoint = Endpoint<PostFile>(
        method: .post, path: "-/stream/file",
        parameters: [
            .query("n", path: \.file.n), .query("key", path: \.file.key),
            .query("cuts", path: \.file.cutText), .query("how", path: \.file.how),
        ])
    typealias Response = ByteStream
}

/// Events of the fault server.
struct GetEvents<Item: Decodable>: FlatRequest {
    var n = 10
    var key = UUID().uuidString
    var settings: [String: String] = [:]

    static var endpoint: Endpoint<Self> {
        .once(
            Endpoint(
                method: .get, path: "-/stream/events",

                parameters: [
                    .query("n", path: \.n), .query("key", path: \.key),
                    .query(contentsOf: \.settingItems),
                ]))
    }
    typealias Response = EventStream<Item>

    var settingItems: [URLQueryItem] {
        settings.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    }
}

/// What a line or an event holds.
struct Numbered: Decodable, Equatable {
    let id: Int
}

/// Lines of the fault server.
struct GetLines<Response: StreamedResponse>: FlatRequest {
    var n = 10
    static var endpoint: Endpoint<Self> {
        .once(
            Endpoint(method: .get, path: "-/stream/lines", parameters: [.query("n", path: \.n)]))
    }
}

/// A body that never ends, under a key.
struct GetEndless: FlatRequest, Sendable {
    var key = UUID().uuidString
    static let endpoint = Endpoint<GetEndless>(
        method: .get, path: "endless-body", parameters: [.query("key", path: \.key)])
    typealias Response = ByteStream
}

extension AsyncSequence {
    /// All elements.
    func collected() async throws -> [Element] {
        try await reduce(into: []) { $0.append($1) }
    }
}

import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What the app asks a Matrix homeserver for: https://spec.matrix.org/latest/client-server-api/

/// A Matrix homeserver.
struct Homeserver: EnvironmentType {
    let baseUrl: URL
}

/// What all requests to a homeserver share.
protocol MatrixRequest: FlatRequest
where Environment == Homeserver, ErrorResponse == MatrixError {}

extension MatrixRequest {
    static var bodyEncoder: JSONEncoder { .matrix }
    static var responseDecoder: JSONDecoder { .matrix }
    static var errorDecoder: JSONDecoder { .matrix }
}

/// Makes an account.
struct Register: MatrixRequest {
    static let endpoint = Endpoint<Register>(method: .post, path: "client/v3/register")

    struct Auth: Encodable { let type = "m.login.dummy" }
    struct Body: Encodable {
        let username: String
        let password: String
        let refreshToken = true
        let auth = Auth()
    }
    let body: Body

    struct Response: Decodable {
        let userId: String
        let accessToken: String
        let refreshToken: String
        let expiresInMs: Double
    }
}

/// Gets the next pair of tokens.
struct Refresh: MatrixRequest {
    static let endpoint = Endpoint<Refresh>(method: .post, path: "client/v3/refresh")
    // The homeserver takes a refresh token again until the pair that it gave for it is used.
    static let loadPolicy = LoadPolicy(repetition: .always)

    struct Body: Encodable { let refreshToken: String }
    let body: Body

    struct Response: Decodable {
        let accessToken: String
        let refreshToken: String
        let expiresInMs: Double
    }
}

/// Makes a room and invites users.
struct CreateRoom: MatrixRequest {
    static let endpoint = Endpoint<CreateRoom>(method: .post, path: "client/v3/createRoom")

    struct Body: Encodable {
        let name: String
        let invite: [String]
        let preset = "private_chat"
    }
    let body: Body

    struct Response: Decodable { let roomId: String }
}

/// Enters a room that the user is invited to.
struct JoinRoom: MatrixRequest {
    let room: String

    static let endpoint = Endpoint<JoinRoom>(method: .post, path: "client/v3/join/\(path: \.room)")
    typealias Response = Void
}

/// Sends a message; once, however often it is sent with the same transaction.
struct SendMessage: MatrixRequest {
    let room: String
    let transaction: String
    let body: Body

    static let endpoint = Endpoint<SendMessage>(
        method: .put,
        path: "client/v3/rooms/\(path: \.room)/send/m.room.message/\(path: \.transaction)")

    struct Body: Encodable {
        let msgtype = "m.text"
        let body: String
    }
    typealias Response = Void
}

/// The messages of a room, the newest first.
struct ListMessages: MatrixRequest, PagedRequest {
    let room: String
    var from: String?

    static let endpoint = Endpoint<ListMessages>(
        method: .get,
        path: "client/v3/rooms/\(path: \.room)/messages",
        parameters: [
            .query("from", path: \.from), .queryValue("dir", value: "b"),
            .queryValue("limit", value: 50), .query("filter", path: \.filter, encoding: .json),
        ])
    static let paging = Paging<ListMessages>.cursor(\.from) { $0.end }

    var filter: EventFilter { EventFilter(types: ["m.room.message"]) }

    struct Response: Decodable {
        let chunk: [Event]
        let end: String?
    }

    static func items(in response: Response) -> [Event] { response.chunk }
}

/// What is new, as soon as there is something.
struct Sync: MatrixRequest {
    let since: String?
    let milliseconds: Int

    static let endpoint = Endpoint<Sync>(
        method: .get,
        path: "client/v3/sync",
        parameters: [
            .query("since", path: \.since), .query("timeout", path: \.milliseconds),
            .query("filter", path: \.filter, encoding: .json),
        ])

    var filter: Filter { Filter() }

    struct Filter: Encodable {
        struct Room: Encodable {
            let timeline = EventFilter(types: ["m.room.message"], limit: 1000)
            let ephemeral = EventFilter()
        }
        let room = Room()
        let presence = EventFilter()
    }

    struct Response: Decodable {
        struct Timeline: Decodable { let events: [Event] }
        struct Room: Decodable { let timeline: Timeline? }
        struct Rooms: Decodable { let join: [String: Room]? }
        let nextBatch: String
        let rooms: Rooms?
    }
}

/// Sends a file to the homeserver.
struct Upload: MatrixRequest {
    let name: String
    let body: Data

    static let endpoint = Endpoint<Upload>(
        method: .post, path: "media/v3/upload", parameters: [.query("filename", path: \.name)])
    // A file that arrives twice has two addresses, and the app uses the one it gets to know.
    static let loadPolicy = LoadPolicy(repetition: .always)

    struct Response: Decodable { let contentUri: URL }
}

/// Gets a file by its address, such as `mxc://localhost/abc`.
struct Download: MatrixRequest {
    let address: URL

    static let endpoint = Endpoint<Download>(
        method: .get, path: "client/v1/media/download/\(path: \.server)/\(path: \.id)")
    static let loadPolicy = LoadPolicy(bodyLimit: 50_000_000)

    var server: String? { address.host }
    var id: String { address.lastPathComponent }

    typealias Response = Data
}

/// A message of a room, or something else that happened there.
struct Event: Decodable, Sendable {
    struct Content: Decodable { let body: String? }
    let eventId: String
    let content: Content
}

/// Which events are wanted; usually none.
struct EventFilter: Encodable {
    var types: [String] = []
    var limit: Int?
}

/// Why the homeserver refuses a request.
struct MatrixError: Decodable, LocalizedError {
    let errcode: String
    let error: String?
    let retryAfterMs: Int?
    let softLogout: Bool?

    var errorDescription: String? { "\(errcode): \(error ?? "")" }
}

extension JSONEncoder {
    static let matrix: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()
}

extension JSONDecoder {
    static let matrix: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server with the chat API that OpenAI began and others offer too:
/// https://platform.openai.com/docs/api-reference
struct ChatServer: EnvironmentType {
    let baseUrl: URL
    let key: Credentials

    var headers: HeaderDictionary<Credentials> { [.authorization: key] }

    static func openAI(key: String) -> ChatServer {
        ChatServer(baseUrl: URL(string: "https://api.openai.com/v1")!, key: .bearer(key))
    }
}

/// What all requests to a chat server share.
protocol ChatRequest: FlatRequest where Environment == ChatServer, ErrorResponse == ChatFailure {}

extension ChatRequest {
    static var bodyEncoder: JSONEncoder { .chat }
    static var responseDecoder: JSONDecoder { .chat }
}

extension JSONEncoder {
    fileprivate static let chat: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()
}

extension JSONDecoder {
    fileprivate static let chat: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

/// `{"error": {"message": "…", "type": "invalid_request_error"}}`
struct ChatFailure: Codable, Sendable {
    struct Reason: Codable, Sendable {
        let message: String
        let type: String
    }

    let error: Reason
}

struct Message: Codable, Sendable, Equatable {
    enum Role: String, Codable, Sendable { case system, user, assistant }

    let role: Role
    var content: String
}

struct ListModels: ChatRequest {
    static let endpoint = Endpoint<ListModels>(method: .get, path: "models")

    struct Response: Codable, Sendable {
        struct Model: Codable, Sendable { let id: String }
        let data: [Model]
    }
}

/// A whole reply.
struct Complete: ChatRequest {
    struct Body: Encodable, Sendable {
        let model: String
        let messages: [Message]
        var temperature: Double?
        var maxCompletionTokens: Int?
    }

    let body: Body

    static let endpoint = Endpoint<Complete>(method: .post, path: "chat/completions")

    struct Response: Codable, Sendable {
        struct Choice: Codable, Sendable {
            let message: Message
            var finishReason: String?
        }
        let choices: [Choice]
    }
}

/// A reply in pieces, each as soon as the model has made it.
struct StreamCompletion: ChatRequest {
    struct Body: Encodable, Sendable {
        let model: String
        let messages: [Message]
        var stream = true
    }

    let body: Body

    static let endpoint = Endpoint<StreamCompletion>(method: .post, path: "chat/completions")
    typealias Response = EventStream<Piece>

    /// Some servers say with the status 200 and JSON that they can't reply. That is an error
    /// response, too.
    static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {
        httpResponse.statusCode == 200 && httpResponse.mimeType == "text/event-stream"
    }

    struct Piece: Codable, Sendable {
        struct Choice: Codable, Sendable {
            struct Delta: Codable, Sendable { var content: String? }
            let delta: Delta
        }
        var choices: [Choice]?
        /// Why the reply ends here: an event such as `{"error": {"message": "…", "type": "…"}}`.
        var error: ChatFailure.Reason?

        var text: String { choices?.first?.delta.content ?? "" }
    }
}

/// Texts as vectors, to compare what they mean.
struct Embed: ChatRequest {
    struct Body: Encodable, Sendable {
        let model: String
        let input: [String]
    }

    let body: Body

    static let endpoint = Endpoint<Embed>(method: .post, path: "embeddings")

    struct Response: Codable, Sendable {
        struct Vector: Codable, Sendable {
            let index: Int
            let embedding: [Double]
        }
        let data: [Vector]
    }
}

/// The files that were sent, page by page.
struct ListFiles: ChatRequest, PagedRequest {
    var after: String?
    var limit = 100

    static let endpoint = Endpoint<ListFiles>(
        method: .get, path: "files",
        parameters: [.query("after", path: \.after), .query("limit", path: \.limit)])
    static let paging = Paging<ListFiles>.cursor(\.after) { page in
        page.hasMore ? page.data.last?.id : nil
    }
    static func items(in page: Response) -> [StoredFile] { page.data }

    struct StoredFile: Codable, Sendable {
        let id: String
        let filename: String
    }
    struct Response: Codable, Sendable {
        let data: [StoredFile]
        let hasMore: Bool
    }
}

/// The content of a file, as it arrives.
struct GetFileContent: ChatRequest {
    let id: String

    static let endpoint = Endpoint<GetFileContent>(
        method: .get, path: "files/\(path: \.id)/content")
    typealias Response = JSONLines<Message>
}

struct DeleteFile: ChatRequest {
    let id: String

    static let endpoint = Endpoint<DeleteFile>(method: .delete, path: "files/\(path: \.id)")
    typealias Response = Void
}

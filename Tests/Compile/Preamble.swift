// What the blocks of the documentation take as given: see docs.py.

import Endpoints
import EndpointsAuth
import EndpointsDurable
import EndpointsMiddleware
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: - A server and its models

extension ServerEnvironment {
    static let production = ServerEnvironment(baseUrl: URL(fileURLWithPath: "/"))
}

struct User: Codable { var id: Int, name: String }
struct Repo: Decodable {}
struct Commit: Decodable {}
struct Issue: Decodable {}
struct Post: Decodable {}
struct ServerError: Codable { let message: String }

struct GetUser: FlatRequest {
    let id: Int

    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
    typealias ErrorResponse = ServerError
}

struct Photo: Decodable {}
struct Place: Codable {}

struct AddVideo: FlatRequest {
    let body: File
    static let endpoint = Endpoint<AddVideo>(method: .post, path: "videos")
    typealias Response = Data
}

struct Price: Decodable { let euros: Int }

struct GetArchive: FlatRequest {
    static let endpoint = Endpoint<GetArchive>(method: .get, path: "archive")
    typealias Response = ByteStream
}

struct GetModel: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetModel>(method: .get, path: "models/\(path: \.id)")
    typealias Response = ByteStream
}

struct ListUsers: FlatRequest, PagedRequest {
    var cursor: String?
    var page = 1

    static let endpoint = Endpoint<ListUsers>(method: .get, path: "users")
    static let paging = Paging<ListUsers>.link()
    static func items(in response: Response) -> [User] { response.users }

    struct Response: Decodable {
        let users: [User]
        let nextCursor: String?
        let next: URL?
    }
}

// MARK: - Values of a program

let session = URLSession.shared
let data = Data()
var httpResponse: HTTPURLResponse { given() }

let file = URL(fileURLWithPath: "/")
let folder = URL(fileURLWithPath: "/")
let (url, photo, video) = (file, file, file)
let photos = [file]
let place = Place()
let upload = Upload([.file(file)])
struct Bar { let progress = Progress(totalUnitCount: 1) }
let bar = Bar()
let progress = UploadProgress()
func write(_ chunk: Data) {}
var arriving: ArrivingResponse { given() }
var archive: ByteStream { given() }
var stream: EventStream<Price> { given() }

let api = EndpointClient(session, in: .production)
let tokens = MemoryCredentials(for: ServerEnvironment.production) { $0 }
let location = URL(fileURLWithPath: "/")
let ids = [1, 2, 3]

func save(_ user: User) throws {}
func newToken(_ refreshToken: String?) async throws -> AccessToken { given() }
func given<Value>() -> Value { fatalError("the blocks are compiled, not run") }

struct Keychain {
    func read() throws -> AccessToken? { given() }
    func write(_ token: AccessToken) throws {}
}
let keychain = Keychain()

let (secretKey, sessionToken) = ("", "")
func assumeRole() async throws -> AWSCredentials { given() }
let (x, y) = ("", "")
struct PrivateKey: Sendable {
    struct Signature { let rawRepresentation: Data }
    func signature(for bytes: Data) throws -> Signature { given() }
}
let privateKey = PrivateKey()
let keys = AWSCredentials(accessKeyID: "", secretAccessKey: "")
let roleKeys = keys
let signer = AWSSigner(service: "s3", region: "eu-central-1", credentials: keys)
let deviceKey = DPoPKey("ES256", jwk: [:]) { $0 }
let server = OAuthServer(tokenURL: nil)
let client = OAuthClient("tool")
var gitHub: OAuthCredentials { given() }
func sign(_ bytes: Data) async throws -> Data { given() }
/// What shows a page in a browser, and tells where this is redirected to.
struct Web: Sendable {
    func redirect(from page: URL) async throws -> URL { given() }
}
let web = Web()

struct ImageError: Error {}
/// What a package for XML has.
struct XMLEncoder {
    func encode(_ value: some Encodable, withRootKey: String) throws -> Data { given() }
}
struct XMLDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { given() }
}
struct Image { init(png: Data) throws {} }
struct UIImage { init?(data: Data) {} }

// MARK: - What chunks of a declaration refer to

/// A request with every property that a chunk of a declaration in a doc comment reads.
struct Example: FlatRequest {
    let id: Int
    let userId: String
    let name: String
    let title: String
    let page: Int?
    let type: Int
    let ids: [Int]
    let path: [String]
    let day: Date
    let since: Date
    let filter: Filter
    let credentials: Credentials
    let key: Secret
    let token: Secret
    let points: [String]
    let tags: [String]
    let avatar: File
    let photo: File
    let photos: [File]
    let place: Place?
    let meta: Filter
    let signature: Data
    let wantsPong: Bool
    let filters: [String: Int?]
    let fields: [String: String]
    let extra: [Headers: String]

    struct Filter: Encodable { let open: Bool }

    static let endpoint = Endpoint<Example>(method: .get, path: "")
    typealias Response = Void
}

/// The request of the example of `Endpoint`.
struct Search: RequestType {
    static let endpoint = Endpoint<Search>(method: .get, path: "")
    struct PathComponents { let id: Int }
    struct Parameters { let page: Int }
    let pathComponents: PathComponents
    let parameters: Parameters
    typealias Response = Void
}

let sharedKey = Data()
let verifier = MessageVerifier(keys: [.hmacSHA256(sharedKey, id: "server")], requiring: [.status])

// MARK: - An outbox

struct Note: Codable, Identifiable { let id: UUID }

struct CreateNote: FlatRequest, OutboxRequest {
    struct Body: Codable { let text: String }
    let id: UUID
    let body: Body
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(method: .post, path: "notes/\(path: \.id)")
    typealias Response = Note
}

struct EditNote: FlatRequest, OutboxRequest {
    struct Body: Codable { let text: String }
    let id: UUID
    let body: Body
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(method: .patch, path: "notes/\(path: \.id)")
    typealias Response = Note
}

func openedOutbox() throws -> Outbox {
    try Outbox(in: folder, sending: api, requests: [.type(CreateNote.self)])
}
let outbox: Outbox = (try? openedOutbox()) ?? { fatalError("Blocks are only compiled") }()

import Endpoints
import Foundation

/// A document, decoded from JSON.
struct GetSlideshow: RequestType {
    static let endpoint = Endpoint<Self>(method: .get, path: "json")

    struct Response: Decodable {
        struct Slideshow: Decodable { let title: String }
        let slideshow: Slideshow
    }
}

/// A path value and query values, each escaped by the rules of its place.
struct Search: FlatRequest {
    let folder: String
    let words: String
    let tags: [String]
    let page: Int?

    static let endpoint = Endpoint<Self>(
        method: .get,
        path: "anything/\(path: \.folder)",
        parameters: [
            .query("q", path: \.words),
            .query("tag", path: \.tags, style: .commaSeparated),
            .query("page", path: \.page),
        ])

    struct Response: Decodable { let args: [String: String] }
}

/// A JSON body in snake case.
struct CreateNote: RequestType {
    static let endpoint = Endpoint<Self>(method: .post, path: "post")

    struct Body: Codable { let noteTitle: String }
    let body: Body
    struct Response: Decodable { let json: Body }

    static let bodyEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()
    static let responseDecoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

/// A form.
struct SignUp: FlatRequest {
    let name: String
    let plan: String

    static let endpoint = Endpoint<Self>(
        method: .put,
        path: "put",
        parameters: [.form("name", path: \.name), .form("plan", path: \.plan)])

    struct Response: Decodable { let form: [String: String] }
}

/// Credentials in a header.
struct LogIn: FlatRequest {
    let credentials: Credentials

    static let endpoint = Endpoint<Self>(
        method: .get,
        path: "basic-auth/aladdin/sesame",
        headers: [.authorization: .field(path: \.credentials)])

    struct Response: Decodable { let user: String }
}

/// An error response that is decoded.
struct GetUnacceptable: RequestType {
    static let endpoint = Endpoint<Self>(method: .get, path: "status/406")
    typealias Response = Void

    struct ErrorResponse: Decodable {
        let message: String
        let accept: [String]
    }
}

/// A header whose value may have a line break. If it has one, the request isn't sent.
struct GetWithToken: FlatRequest {
    let token: String

    static let endpoint = Endpoint<Self>(
        method: .get, path: "get", headers: ["X-Token": .field(path: \.token)])
    typealias Response = Void
}

/// A slow response.
struct GetSlowly: FlatRequest {
    let seconds: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "delay/\(path: \.seconds)")
    typealias Response = Data
}

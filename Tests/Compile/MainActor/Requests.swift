import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The nested form.
struct UpdateUser: APIRequest {
    static let endpoint = Endpoint<UpdateUser>(
        method: .put,
        path: "users/\(path: \.id)",
        parameters: [.query("notify", path: \.notify), .queryValue("v", value: 2)],
        headers: [.authorization: .field(path: \.credentials)])

    struct PathComponents { let id: Int }
    struct Parameters { let notify: Bool? }
    struct HeaderValues { let credentials: Credentials }

    let pathComponents: PathComponents
    let parameters: Parameters
    let headerValues: HeaderValues
    let body: User
    typealias Response = User
}

/// The flat form, with a model of its own.
struct Search: FlatRequest, APIRequest {
    let words: String
    let sort: Sort?
    let page: Int

    static let endpoint = Endpoint<Search>(
        method: .get,
        path: "search/\(path: \.words)",
        parameters: [.query("sort", path: \.sort), .query("page", path: \.page)])

    struct Response: Decodable { let users: [User] }
}

/// A class that isn't `Sendable`, whose response isn't either.
final class GetPicture: RequestType {
    static let endpoint = Endpoint<GetPicture>(method: .get, path: "picture/\(path: \.size)")

    struct PathComponents { let size: Int }
    var pathComponents: PathComponents
    init(size: Int) { pathComponents = .init(size: size) }

    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Picture {
        Picture(data)
    }
}

/// A generic one.
struct Page<Item: Decodable & Sendable>: FlatRequest {
    let number: Int

    static var endpoint: Endpoint<Self> {
        Endpoint(method: .get, path: "items", parameters: [.query("page", path: \.number)])
    }
    typealias Response = [Item]
}

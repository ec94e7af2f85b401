import Endpoints
import Foundation

protocol MyService: FlatRequest, Sendable {}

extension MyService {
    var commonHeaders: HeaderDictionary<String> { ["X-App": "demo"] }
}

struct Zen: MyService {
    static let endpoint = Endpoint<Self>(method: .get, path: "zen")
    typealias Response = String
}

struct ShowUser: MyService {
    let id: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
    typealias Response = Member
}

struct CreateUser: MyService {
    let firstName: String
    let lastName: String

    static let endpoint = Endpoint<Self>(
        method: .post, path: "users",
        parameters: [
            .form("first_name", path: \.firstName),
            .form("last_name", path: \.lastName),
        ])
    typealias Response = Member
}

struct Member: Codable, Sendable {
    let id: Int
}

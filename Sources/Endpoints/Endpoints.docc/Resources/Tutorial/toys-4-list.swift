import Endpoints

struct Toy: Codable, Sendable, Equatable {
    let id: Int
    let name: String
}

struct GetToy: FlatRequest, Sendable {
    let id: Int

    static let endpoint = Endpoint<Self>(
        method: .get, path: "toys/\(path: \.id)")
    typealias Response = Toy
}

struct ListToys: FlatRequest, Sendable {
    let search: String
    var page: Int?

    static let endpoint = Endpoint<Self>(
        method: .get, path: "toys",
        parameters: [
            .query("q", path: \.search),
            .query("page", path: \.page),
        ])
    typealias Response = [Toy]
}

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

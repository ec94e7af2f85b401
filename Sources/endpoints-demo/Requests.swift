import Endpoints
import EndpointsStreams
import Foundation

/// What all requests to the shop share.
protocol ShopRequest: FlatRequest where ErrorResponse == ShopError {}

/// The shop's own words for what is wrong.
struct ShopError: Decodable, Sendable {
    let message: String
}

/// A path value and query values, each escaped by the rules of its place.
struct FindToys: ShopRequest {
    let kind: String
    let words: String
    let colors: [String]
    let page: Int?

    static let endpoint = Endpoint<Self>(
        method: .get,
        path: "toys/\(path: \.kind)",
        parameters: [
            .query("q", path: \.words),
            .query("color", path: \.colors, style: .commaSeparated),
            .query("page", path: \.page),
        ])

    struct Response: Decodable { let line: String }
}

/// A header whose value may have a line break. If it has one, the request isn't sent.
struct GetToy: ShopRequest {
    let id: Int
    let note: String?

    static let endpoint = Endpoint<Self>(
        method: .get, path: "toys/\(path: \.id)", headers: ["X-Note": .field(path: \.note)])
    typealias Response = Void
}

/// A stream of events, which connects again when it breaks off.
struct WatchPrices: ShopRequest {
    struct Price: Decodable { let euros: Int }

    static let endpoint = Endpoint<Self>(method: .get, path: "prices")
    typealias Response = EventStream<Price>
}

/// An order, which only a user with a token gets.
struct GetOrder: ShopRequest {
    let number: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "orders/\(path: \.number)")
    struct Response: Decodable { let number: Int }
}

/// A new token.
struct RefreshToken: ShopRequest {
    static let endpoint = Endpoint<Self>(method: .post, path: "token")
    struct Response: Decodable { let token: String }
}

/// What the busy server has only at the second attempt.
struct GetStock: ShopRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "stock")
    struct Response: Decodable { let toys: Int }
}

/// A response that may be stored for a minute.
struct GetMenu: ShopRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "menu")
    struct Response: Decodable { let dish: String }
}

/// A body that is saved as a file while it arrives.
struct GetCatalogue: ShopRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "catalogue")
    typealias Response = ByteStream
}

/// A file that is downloaded in several calls.
struct GetManual: ShopRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "manual")
    typealias Response = ByteStream
}

/// How many requests the shop has got for each path.
struct GetSeen: ShopRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "-/seen")
    typealias Response = [String: Int]
}

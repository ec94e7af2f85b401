import Endpoints
import EndpointsStreams
import Foundation

extension ServerEnvironment {
    static let a = ServerEnvironment(baseUrl: URL(string: "https://a.test")!)
}

struct Get: FlatRequest {
    typealias Response = Data
    static let endpoint: Endpoint<Get> = Endpoint(method: .get, path: "\(path: \.path)")
    var path = "x"
}

struct Post: FlatRequest {
    typealias Response = Data
    static let endpoint: Endpoint<Post> = Endpoint(method: .post, path: "\(path: \.path)")
    var path = "x"
    var body = "b0dy"
}

struct Put: FlatRequest {
    typealias Response = Data
    static let endpoint: Endpoint<Put> = Endpoint(method: .put, path: "\(path: \.path)")
    var path = "x"
    let body: File
}

struct Events: FlatRequest {
    typealias Response = EventStream<ServerSentEvent>
    static let endpoint: Endpoint<Events> = Endpoint(method: .get, path: "events")
}

struct GetArchive: FlatRequest {
    typealias Response = ByteStream
    static let endpoint: Endpoint<GetArchive> = Endpoint(method: .get, path: "archive")
}

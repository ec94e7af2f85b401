import Endpoints
import Foundation
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ServerEnvironment {
    static let production = ServerEnvironment(baseUrl: URL(string: "https://production.mydomain.com")!)
}
struct MyRequest: RequestType {
    static let endpoint: Endpoint<MyRequest> = Endpoint(
        method: .post,
        path: "path/to/\(path: \.id)/resource\(path: \.x)",
        parameters: [
            .query("keyString", path: \MyRequest.Parameters.keyString),
            .query("keyInt", path: \MyRequest.Parameters.keyInt),
            .query("ids", path: \.ids), .query("d", path: \.d, format: .iso8601.year().month().day()),
            .queryValue("key", value: "hard-coded")
        ],
        headers: ["X-TYPE": HeaderField.field(path: \MyRequest.HeaderValues.type),
        "X-VALUE": .fieldValue(value: "value"),
        .keepAlive: .fieldValue(value: "timeout=5, max=1000")]
    )
    struct Response: Decodable { let resourceId: String }
    struct PathComponents { let id: String; let x: Int? }
    let pathComponents: PathComponents
    struct Parameters { let keyString: String; let keyInt: Int; let ids: [Int]; let d: Date }
    let parameters: Parameters
    struct HeaderValues { let type: Int }
    let headerValues: HeaderValues
}
struct Flat: FlatRequest {
    let owner: String; let page: Int?; let body: String
    static let endpoint = Endpoint<Flat>(method: .post, path: "repos/\(path: \.owner)", parameters: [.query("page", path: \.page), .query("b", path: \.body)])
    typealias Response = WithHTTPResponse<[String]>
}
struct Page<Item: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x\(path: \.n)") }
    struct PathComponents { let n: String }
    let pathComponents: PathComponents
    typealias Response = Item
}
@Test func go() throws {
    let r = try MyRequest(pathComponents: .init(id: "a/b c", x: nil), parameters: .init(keyString: "a+b &?é", keyInt: 3, ids: [1,2], d: Date(timeIntervalSince1970: 0)), headerValues: .init(type: 3)).urlRequest(in: .production)
    print(r.httpMethod!, r.url!, r.allHTTPHeaderFields!)
    do { _ = try Flat(owner: "..", page: nil, body: "b").urlRequest(in: .production) } catch { print(error) }
    print(Flat.endpoint.problems)
    print(try Page<Data>(pathComponents: .init(n: "1")).urlRequest(in: .production).allHTTPHeaderFields as Any)
    print(try Page<[Int]>(pathComponents: .init(n: "1")).urlRequest(in: .production).allHTTPHeaderFields as Any)
    do { print(try Page<[Int]>(pathComponents: .init(n: ".")).urlRequest(in: .production).allHTTPHeaderFields as Any)
    } catch { print(error) }
    let d = try Page<[String: Int]>.response(data: Data("{\"a\":1}".utf8), httpResponse: HTTPURLResponse(url: URL(string: "x")!, statusCode: 200, httpVersion: nil, headerFields: nil)!)
    do { _ = try Page<[String: [Int]]>.response(from: Data("{\"a\":[1,\"x\"]}".utf8), HTTPURLResponse(url: URL(string: "x")!, statusCode: 200, httpVersion: nil, headerFields: nil)!) } catch { print(error); debugPrint(error) }
    print(d)
}
@MainActor final class ViewModel {
    final class NS { var x = 1 }
    struct Req: RequestType {
        let ns: NS
        static let endpoint = Endpoint<Req>(method: .get, path: "get")
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> NS { NS() }
    }
    var n: NS?
    func load(_ s: URLSession, _ e: ServerEnvironment) async throws {
        n = try await s.response(in: e, with: Req(ns: NS()))
        do { n = try await s.response(in: e, with: Req(ns: NS())) } catch .errorResponse(let h, let e) { print(h, e) } catch {}
    }
}

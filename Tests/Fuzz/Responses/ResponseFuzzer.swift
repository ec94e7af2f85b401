// Compiled by responses.sh together with the library's sources, so that it can use internal code.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes one input of the fuzzer as a response: a byte for the request type, a byte for the status,
/// Content-Type, Location and Content-Length with `\n` after each, and the body.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneResponse(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 2 else { return 0 }
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let parts = Data(bytes.dropFirst(2)).split(
        separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    let fields = parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
    let response = ServerResponse(
        status: statuses[Int(bytes[1]) % statuses.count], type: fields.first,
        location: fields.count > 1 ? fields[1] : nil, length: fields.count > 2 ? fields[2] : nil,
        body: parts.last ?? Data())
    response.read(as: Int(bytes[0]))
    response.redirect()
    return 0
}

private let statuses = [
    200, 204, 301, 302, 303, 307, 308, 401, 500, 100, 199, 201, 205, 299, 300, 304, 399, 400, 599,
    600,
]

struct ServerResponse {
    let status: Int
    let type, location, length: String?
    let body: Data

    private func httpResponse(at url: URL) -> HTTPURLResponse? {
        var fields: [String: String] = [:]
        fields["Content-Type"] = type
        fields["Location"] = location
        fields["Content-Length"] = length
        return HTTPURLResponse(
            url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    /// Decodes it for one of the request types; an error must have a text.
    func read(as number: Int) {
        switch number % 9 {
        case 0: read(Get<EmptyResponse, EmptyResponse>.self)
        case 1: read(Get<Data, Failure>.self)
        case 2: read(Get<String, Failure>.self)
        case 3: read(Get<String?, String>.self)
        case 4: read(Get<[String: Item], Failure>.self)
        case 5: read(Get<Item?, Data>.self)
        case 6: read(GetNothing.self)
        case 7: read(GetHead.self)
        default: read(GetText.self)
        }
    }

    private func read<Request: RequestType>(_ type: Request.Type) {
        guard let url = URL(string: "https://h/a"), let httpResponse = httpResponse(at: url) else {
            return
        }
        let isSuccess = (200..<300).contains(status)
        let isWhole = !httpResponse.contradictsLength(body.count)
        check(
            isWhole || length != "\(body.count)", "a body of \(length ?? "no length") was not whole"
        )
        do {
            _ = try type.decode(body, httpResponse)
            check(isSuccess, "a status outside 200–299 was a success")
            let isEmpty = body.isEmpty || [204, 205].contains(status)
            check(!isEmpty || canBeEmpty(Request.Response.self, status), "nothing became a value")
        } catch {
            let texts = [
                error.description, error.debugDescription, error.localizedDescription,
                error.errorDescription ?? "", "\(error)", String(reflecting: error),
            ]
            check(texts.allSatisfy { !$0.isEmpty }, "an error has no text")
            switch error {
            case .responseParseError: check(isSuccess, "a \(status) could not be read")
            case .errorResponse, .errorResponseParseError:
                check((400..<600).contains(status), "a \(status) was an error response")
                check(!body.isEmpty || Request.ErrorResponse.self == EmptyResponse.self, "empty")
            case .unexpectedResponse: check(!isSuccess, "a \(status) was unexpected")
            default: check(false, "a response became \(error)")
            }
        }
    }

    private func canBeEmpty(_ type: Any.Type, _ status: Int) -> Bool {
        type == Void.self || type == EmptyResponse.self || type == Data.self
            || type is any AnyOptional.Type
            || type == WithHTTPResponse<Void>.self || type == WithHTTPResponse<String?>.self
            || (type == String.self && ![204, 205].contains(status))
    }

    /// Follows it, if it is a redirect, and checks the next request.
    func redirect() {
        guard let url = URL(string: "https://user:pw@h/a/b?c#d") else { return }
        var request = URLRequest(url: url)
        request.allHTTPHeaderFields = ["Authorization": "secret", "X-Kept": "1", "x-api-key": "s"]
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let policy = LoadPolicy(sensitiveHeaders: ["X-Api-Key"])
        guard let httpResponse = httpResponse(at: url) else { return }
        let redirection = Redirection(of: request, under: policy)
        switch redirection.step(after: httpResponse) {
        case .useResponse: break
        case .fail(let error):
            let error = EndpointTaskError<EmptyResponse>(loading: error, GetHead.self)
            check(!error.debugDescription.contains("pw"), "user info in a text")
        case .follow(let next):
            let target = next.url.flatMap(Origin.init)
            check(target != nil, "led to no http URL")
            check(target?.scheme == "https", "led from https to \(target?.scheme ?? "")")
            let fields = next.allHTTPHeaderFields ?? [:]
            check(fields["X-Kept"] == "1", "lost a header")
            let isSame = target == Origin(of: url)
            check(isSame == (fields["Authorization"] != nil), "credentials to \(next.url as Any)")
            check(isSame == (fields["x-api-key"] != nil), "a key to \(next.url as Any)")
            let keeps = status == 307 || status == 308
            check(keeps == (next.httpBody != nil), "a body after \(status)")
        }
    }

    private func check(_ condition: Bool, _ complaint: String) {
        if !condition { fatalError(complaint) }
    }
}

struct Item: Decodable {
    let id: Int
    let tags: [String: [Double?]]?
}

struct Failure: Decodable, Sendable {
    let message: String
    let nested: [Item]?
}

struct Get<Value: Decodable, ErrorResponse: Decodable & Sendable>: RequestType {
    typealias Response = Value
    static var endpoint: Endpoint<Self> { .once(Endpoint(method: .get, path: "a")) }
}

struct GetNothing: RequestType {
    typealias Response = Void
    typealias ErrorResponse = Failure
    static let endpoint = Endpoint<GetNothing>(method: .get, path: "a")
}

struct GetHead: RequestType {
    typealias Response = WithHTTPResponse<Void>
    static let endpoint = Endpoint<GetHead>(method: .head, path: "a")
}

struct GetText: RequestType {
    typealias Response = WithHTTPResponse<String?>
    static let endpoint = Endpoint<GetText>(method: .get, path: "a")
}

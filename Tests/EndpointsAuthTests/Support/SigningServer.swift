import Endpoints
import EndpointsAuth
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs the method, the URL, the other headers, the body and the time with a key.
struct KeySigner: RequestSigner {
    var key = "k3y"

    func account() -> String { key }

    func sign(_ request: inout TransportRequest, at date: Date) async throws {
        request.urlRequest.setValue(
            "\(date.timeIntervalSince1970)", forHTTPHeaderField: "X-Signed-At")
        let signature = try await Self.signature(of: request, key: key)
        request.urlRequest.setValue(signature, forHTTPHeaderField: "X-Signature")
    }

    static func signature(of request: TransportRequest, key: String) async throws -> String {
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        let signed = fields.keys.sorted().filter { $0 != "X-Signature" }
        let text =
            [
                request.urlRequest.httpMethod ?? "", request.urlRequest.url?.absoluteString ?? "",
                try await request.bodyDigest().hex,
            ] + signed.map { "\($0): \(fields[$0] ?? "")" }
        return SHA256.hmac(
            Data(text.joined(separator: "\n").utf8), key: Data(key.utf8)
        ).hex
    }
}

/// A server that notes what it gets, and whether its signature is right. It follows no redirect.
final class SigningServer: Transport {
    struct Reply: Sendable {
        var status = 200
        var fields: [String: String] = [:]
        var body = "{}"
        /// The body breaks off after its beginning.
        var breaksOff = false
        /// The credentials without which the response is a 401.
        var token: String?
    }

    /// A request as the server got it.
    struct Received: Sendable {
        let text: String
        let fields: [String: String]
        let body: String
        /// `right`, `wrong` or `none`.
        let signature: String
        let isFollowing: Bool
        let leavesOrigin: Bool
        /// Whether texts hide the time of the signature, whose name isn't that of a secret.
        let hidesTime: Bool
    }

    private let replies: Locked<[String: [Reply]]>
    private let log = Locked<[Received]>([])
    private let key: String

    /// - Parameter replies: By path, the responses to a URL, of which the last one is repeated.
    init(_ replies: [String: [Reply]] = [:], key: String = "k3y") {
        self.replies = Locked(replies)
        self.key = key
    }

    var received: [Received] { log.withLock { $0 } }

    /// What was asked and how it was signed, such as `GET /a right`.
    var asked: [String] { received.map { "\($0.text) \($0.signature)" } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.check()
        let urlRequest = request.urlRequest
        let fields = urlRequest.allHTTPHeaderFields ?? [:]
        let sent = fields["X-Signature"]
        let expected = try await KeySigner.signature(of: request, key: key)
        let url = urlRequest.url ?? URL(filePath: "/")
        let place = (url.host == "a.test" ? "" : url.host ?? "") + url.path
        let body = try request.upload?.data() ?? urlRequest.httpBody ?? Data()
        log.withLock {
            $0.append(
                Received(
                    text: "\(urlRequest.httpMethod ?? "") \(place)", fields: fields,
                    body: String(decoding: body, as: UTF8.self),
                    signature: sent.map { $0 == expected ? "right" : "wrong" } ?? "none",
                    isFollowing: request.policy.redirects != .doNotFollow,
                    leavesOrigin: request.leavesOrigin,
                    hidesTime: request.policy.hides("X-Signed-At")))
        }
        var reply = replies.withLock { replies in
            let left = replies[place] ?? []
            if left.count > 1 { replies[place]?.removeFirst() }
            return left.first ?? Reply()
        }
        if let token = reply.token, fields["Authorization"] != "Bearer \(token)" {
            reply = Reply(status: 401)
        }
        let head = HTTPURLResponse(
            url: url, statusCode: reply.status, httpVersion: "HTTP/1.1",
            headerFields: reply.fields)
        guard let head else { throw URLError(.badServerResponse) }
        guard reply.breaksOff || request.streamsResponse
        else { return TransportResponse(Data(reply.body.utf8), head) }
        let rest = Locked<Data?>(Data(reply.body.utf8))
        let breaksOff = reply.breaksOff
        return TransportResponse(
            body: ResponseBody {
                if let data = rest.withLock({ $0.take() }) { return data }
                if breaksOff { throw URLError(.networkConnectionLost) }
                return nil
            }, head)
    }
}

/// A clock that goes on by a second each time that somebody looks at it, and doesn't wait.
func tickingClock() -> TransportClock {
    let ticks = Locked(0.0)
    return TransportClock(
        date: {
            ticks.withLock { ticks in
                ticks += 1
                return Date(timeIntervalSince1970: 1_700_000_000 + ticks)
            }
        },
        uptime: { 0 }, sleep: { _ in }, random: { 0 })
}

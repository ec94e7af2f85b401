import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Outcome {
    /// Requests that their own `prepare` changes to what no session can send.
    static let spoiled = [
        spoiled(
            "a GET with a body", "the body",
            "is not sent with GET by URLSession; use POST, PUT or PATCH"
        ) {
            $0.httpMethod = "GET"
            $0.httpBody = Data("x".utf8)
        },
        spoiled(
            "a HEAD with a body", "the body",
            "is not sent with HEAD by URLSession; use POST, PUT or PATCH"
        ) {
            $0.httpMethod = "HEAD"
            $0.httpBody = Data("x".utf8)
        },
        spoiled(
            "a GET with a stream", "the body",
            "is not sent with GET by URLSession; use POST, PUT or PATCH"
        ) {
            $0.httpMethod = "GET"
            $0.httpBodyStream = InputStream(data: Data("x".utf8))
        },
        spoiledMethod("a method with a space", "GET / HTTP/1.1\r\nX: 1"),
        spoiledMethod("a method with a line break", "GE\nT"),
        spoiledHeader(
            "a length", "Content-Length", "5",
            "is set by the transport; remove it, as a wrong value breaks the connection"
        ),
        spoiledHeader(
            "a length in another case", "content-LENGTH", "5",
            "is set by the transport; remove it, as a wrong value breaks the connection"
        ),
        spoiledHeader(
            "a framing", "Transfer-Encoding", "chunked",
            "is set by the transport; remove it, as a wrong value breaks the connection"
        ),
        spoiledHeader(
            "a header's value with a line break", "X-Token", "s3cr3t\r\nX-Evil: 1",
            "has a control character, such as a line break; remove it"),
        spoiledHeader(
            "a header's value with a NUL", "X-Token", "s3cr3t\0",
            "has a control character, such as a line break; remove it"),
        spoiledHeader(
            "a header's name with a line break", "X-A\r\nX-Evil", "1",
            "has an invalid name; use letters, digits and `-`"),
        spoiledURL("an FTP URL", "ftp://127.0.0.1/x", "must be http or https, and not `ftp:`"),
        spoiledURL("a file's URL", "file:///etc/hosts", "must be http or https, and not `file:`"),
        spoiledURL("a web socket's URL", "ws://127.0.0.1/", "must be http or https, and not `ws:`"),
        spoiledURL("a URL of data", "data:,x", "must be http or https, and not `data:`"),
        spoiledURL("a relative URL", "x", "must be http or https, and not relative"),
        spoiledURL("a URL without a host", "http:///x", "has no valid host and port"),
        spoiledURL("a URL with a bad port", "http://h:99999/", "has no valid host and port"),
        spoiled("no URL", "the URL to be loaded", "is missing; give the request one") {
            $0.url = nil
        },
    ]

    private static func spoiledURL(_ name: String, _ url: String, _ problem: String) -> Outcome {
        spoiled(name, "the URL to be loaded", "\(problem); change the code that sets it") {
            $0.url = URL(string: url)
        }
    }

    private static func spoiled(
        _ name: String, _ field: String, _ problem: String,
        _ spoil: @escaping @Sendable (inout URLRequest) -> Void
    ) -> Outcome {
        Outcome(
            name, Spoiled(spoil: spoil), at: "ENDPOINTS_RECORDER", "endpointError \(field)",
            "Spoiled: \(field) \(problem)")
    }

    private static func spoiledMethod(_ name: String, _ method: String) -> Outcome {
        spoiled(
            name, "the method",
            "is not valid; use letters"
        ) { $0.httpMethod = method }
    }

    /// Sets a header by `allHTTPHeaderFields`, which accepts any text.
    private static func spoiledHeader(
        _ name: String, _ header: String, _ value: String, _ problem: String
    ) -> Outcome {
        spoiled(name, "the header \(header.debugDescription)", problem) {
            $0.allHTTPHeaderFields?[header] = value
        }
    }
}

/// A request that its own hook makes unsendable.
struct Spoiled: FlatRequest, Sendable {
    let spoil: @Sendable (inout URLRequest) -> Void

    static let endpoint = Endpoint<Spoiled>(
        method: .post, path: "-/echo", headers: ["X-Fine": .fieldValue(value: "1")])
    typealias Response = String

    func prepare(_ request: inout URLRequest) { spoil(&request) }
}

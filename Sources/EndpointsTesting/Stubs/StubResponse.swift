import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a ``StubTransport`` responds to a request of one type.
///
///     let stub = StubTransport()
///     stub.on(GetUser.self, .value(User(id: 1, name: "Ann")))
///     stub.on(GetUser.self, .error(404, ServerError(message: "not found")))
///     stub.on(GetUser.self, .json(#"{"id": 1}"#), .throwing(URLError(.timedOut)))
///
/// These are three alternatives: each `on` replaces the stub that the type had before.
public struct StubResponse<Request: RequestType>: Sendable {
    let respond: @Sendable (TransportRequest) async throws -> TransportResponse

    /// A response with a status and no body.
    public static func status(
        _ status: Int, headers: [Headers: String] = [:]
    ) -> StubResponse {
        data(Data(), status: status, headers: headers)
    }

    /// A response whose body is JSON.
    public static func json(
        _ text: String, status: Int = 200, headers: [Headers: String] = [:]
    ) -> StubResponse {
        data(
            Data(text.utf8), status: status, headers: ["Content-Type": "application/json"] + headers
        )
    }

    /// A response whose body is the given bytes.
    public static func data(
        _ data: Data, status: Int = 200, headers: [Headers: String] = [:]
    ) -> StubResponse {
        StubResponse { request in
            TransportResponse(data, try request.httpResponse(status, headers))
        }
    }

    /// A response whose body arrives in chunks.
    public static func chunks(
        _ chunks: [Data], status: Int = 200, headers: [Headers: String] = [:]
    ) -> StubResponse {
        StubResponse { request in
            let rest = Locked(chunks[...])
            let body = ResponseBody { rest.withLock { $0.popFirst() } }
            return TransportResponse(body: body, try request.httpResponse(status, headers))
        }
    }

    /// No response: sending the request throws.
    ///
    /// A load throws the error as the ``EndpointTaskError`` case of its kind: a timeout as
    /// ``EndpointTaskError/urlLoadError(_:)``, and an error of your own as `.transportError`.
    public static func throwing(_ error: any Error) -> StubResponse {
        StubResponse { _ in throw error }
    }

    /// The same response after some seconds. Cancelling the load ends the wait at once.
    public func delayed(by seconds: TimeInterval) -> StubResponse {
        StubResponse { request in
            try await Task.sleep(nanoseconds: UInt64(min(max(seconds, 0), 1e9) * 1e9))
            return try await respond(request)
        }
    }
}

extension TransportRequest {
    fileprivate func httpResponse(
        _ status: Int, _ headers: [Headers: String]
    ) throws -> HTTPURLResponse {
        let fields = Dictionary(uniqueKeysWithValues: headers.map { ($0.key.name, $0.value) })
        guard let url = urlRequest.url,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw URLError(.badServerResponse) }
        return response
    }
}

private func + (left: [Headers: String], right: [Headers: String]) -> [Headers: String] {
    left.merging(right) { $1 }
}

import Endpoints
import EndpointsShared
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
/// These are three alternatives: each `on` replaces the stub that the type had before. A status
/// that isn't a number of three digits ends the load with a ``StubError``, and so does a header
/// whose name or value can't be sent, a `Link` without a link, and a `Content-Length` that isn't
/// that of the body, unless the method is HEAD, the status 304, or there is a `Content-Encoding`.
public struct StubResponse<Request: RequestType>: Sendable {
    let respond: @Sendable (TransportRequest) async throws -> TransportResponse

    /// A response with a status and no body.
    public static func status(
        _ status: Int, headers: HeaderDictionary<String> = [:]
    ) -> StubResponse {
        data(Data(), status: status, headers: headers)
    }

    /// A response whose body is JSON.
    public static func json(
        _ text: String, status: Int = 200, headers: HeaderDictionary<String> = [:]
    ) -> StubResponse {
        data(Data(text.utf8), status: status, headers: headers.with("application/json"))
    }

    /// A response whose body is the given bytes.
    public static func data(
        _ data: Data, status: Int = 200, headers: HeaderDictionary<String> = [:]
    ) -> StubResponse {
        StubResponse { request in
            TransportResponse(data, try request.httpResponse(status, headers, data.count))
        }
    }

    /// A response whose body arrives in chunks.
    public static func chunks(
        _ chunks: [Data], status: Int = 200, headers: HeaderDictionary<String> = [:]
    ) -> StubResponse {
        StubResponse { request in
            let rest = Locked(chunks[...])
            let body = ResponseBody { rest.withLock { $0.popFirst() } }
            let count = chunks.reduce(0) { $0 + $1.count }
            return TransportResponse(body: body, try request.httpResponse(status, headers, count))
        }
    }

    /// No response: sending the request throws.
    ///
    /// A load throws the error as the ``EndpointTaskError`` case of its kind: a timeout as
    /// ``EndpointTaskError/urlLoadError(_:)``, and an error of your own as `.transportError`. An
    /// ``EndpointTaskError`` itself ends the load with a ``StubError``, as it would be within
    /// another one.
    public static func throwing(_ error: any Error) -> StubResponse {
        StubResponse { request in
            throw error is any LoadError ? StubError.isLoadError(request.requestType) : error
        }
    }

    /// The same response after some seconds. With less than zero, or `.nan`, the load ends with a
    /// ``StubError``.
    ///
    /// Cancelling the load ends the wait at once. If the delay is as long as the policy's
    /// ``LoadPolicy/timeLimit`` or longer, the load ends with `URLError.timedOut` when the limit is
    /// over.
    public func delayed(by seconds: TimeInterval) -> StubResponse {
        StubResponse { request in
            guard seconds >= 0 else { throw StubError.notADelay(seconds, request.requestType) }
            let deadline = Deadline(of: request, .system)
            if seconds > 0 { try await deadline.sleep(seconds) }
            return try await respond(try deadline.limited(request))
        }
    }
}

extension TransportRequest {
    fileprivate func httpResponse(
        _ status: Int, _ headers: HeaderDictionary<String>, _ count: Int
    ) throws -> HTTPURLResponse {
        // A status has three digits (RFC 9112, section 4).
        guard (100...999).contains(status) else {
            throw StubError.notAStatus(status, requestType)
        }
        for (name, value) in headers.pairs where !name.canBeReceived(with: value) {
            throw StubError.notAHeader(name.name, requestType)
        }
        for (name, value) in headers.pairs where name == "Link" {
            guard value.range(of: "^[ \t]*<[^>]*>", options: .regularExpression) != nil else {
                throw StubError.notALink(requestType)
            }
        }
        // These say how many bytes another response would have (RFC 9110, section 8.6). Of a
        // response that is compressed, it counts the bytes before a transport unpacks them.
        let isPacked = headers.pairs.contains { $0.name == "Content-Encoding" }
        let describesAnother = isPacked || urlRequest.method == "HEAD" || status == 304
        for (name, value) in headers.pairs where name == "Content-Length" && !describesAnother {
            guard value == String(count) else {
                throw StubError.notTheLength(value, count, requestType)
            }
        }
        // As the URL loading system joins them (RFC 9110, section 5.3).
        let values = Dictionary(grouping: headers.pairs, by: \.name).map { name, pairs in
            (name.name, pairs.map(\.value).joined(separator: ", "))
        }
        let fields = Dictionary(values) { $1 }
        guard let url = urlRequest.url,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw URLError(.badServerResponse) }
        return response
    }
}

extension Headers {
    /// Whether a server can send a header: its name is a token, and the value has no line break or
    /// other control character (RFC 9110, sections 5.1 and 5.5).
    fileprivate func canBeReceived(with value: String) -> Bool {
        isToken && !value.unicodeScalars.contains { $0.value < 32 && $0 != "\t" || $0.value == 127 }
    }
}

/// An error that a load makes, and no transport throws.
private protocol LoadError: Error {}
extension EndpointTaskError: LoadError {}

extension HeaderDictionary<String> {
    /// These headers with a `Content-Type`, unless they have one.
    fileprivate func with(_ contentType: String?) -> HeaderDictionary {
        var headers = self
        headers[.contentType] = self[.contentType] ?? contentType
        return headers
    }
}

extension StubResponse where Request.Response: Encodable {
    /// A response of the declared type, encoded so that the request's decoder reads it.
    ///
    ///     let stub = StubTransport()
    ///     stub.on(GetUser.self, .value(User(id: 1, name: "Ann")))
    ///
    /// `Data` and `String` are sent as they are, and `nil` has no body. If the request's decoder is
    /// a `JSONDecoder`, the value is encoded with the decoder's strategies. For a
    /// ``NestedDecoder``, it is encoded under the keys. An `encoder` is needed if the request's
    /// decoder is neither a `JSONDecoder` nor a `PropertyListDecoder`, or has a custom strategy or
    /// a date formatter. The status is by default 200, or 204 for `nil`.
    public static func value(
        _ value: Request.Response, status: Int? = nil, headers: HeaderDictionary<String> = [:],
        encoder: (any EncoderType)? = nil
    ) -> StubResponse {
        encoded(value, for: Request.responseDecoder, status, headers, encoder).success
    }
}

extension StubResponse where Request.Response == Void {
    /// A successful response without a body.
    public static func value(
        _ value: Void, status: Int = 204, headers: HeaderDictionary<String> = [:]
    ) -> StubResponse {
        .status(status, headers: headers)
    }
}

extension StubResponse {
    /// A response for a request whose `Response` is a `WithHTTPResponse`. The value is encoded so
    /// that the request's decoder reads it. The status is by default 200, or 204 for `nil`.
    public static func value<Value: Encodable>(
        _ value: Value, status: Int? = nil, headers: HeaderDictionary<String> = [:],
        encoder: (any EncoderType)? = nil
    ) -> StubResponse where Request.Response == WithHTTPResponse<Value> {
        encoded(value, for: Request.responseDecoder, status, headers, encoder).success
    }
}

extension StubResponse where Request.ErrorResponse: Encodable {
    /// An error response of the declared type, encoded so that the request's error decoder reads
    /// it.
    ///
    ///     let stub = StubTransport()
    ///     stub.on(GetUser.self, .error(404, ServerError(message: "not found")))
    ///
    /// For a ``NestedDecoder``, the error is encoded under the keys. An `encoder` is needed if the
    /// request's error decoder is neither a `JSONDecoder` nor a `PropertyListDecoder`, or has a
    /// custom strategy or a date formatter.
    public static func error(
        _ status: Int, _ error: Request.ErrorResponse, headers: HeaderDictionary<String> = [:],
        encoder: (any EncoderType)? = nil
    ) -> StubResponse {
        encoded(error, for: Request.errorDecoder, status, headers, encoder).failure
    }
}

extension StubResponse {
    /// The same response, which is refused if the request takes its status for an error.
    fileprivate var success: StubResponse {
        checked { status, isSuccess in
            isSuccess ? nil : .isError(status, Request.self)
        }
    }

    /// The same response, which is refused if the request takes its status for a success.
    fileprivate var failure: StubResponse {
        checked { status, isSuccess in
            isSuccess ? .isSuccess(status, Request.self) : nil
        }
    }

    private func checked(
        _ error: @escaping @Sendable (_ status: Int, _ isSuccess: Bool) -> StubError?
    ) -> StubResponse {
        StubResponse { request in
            let response = try await respond(request)
            var data = Data()
            for try await chunk in response.body { data += chunk }
            let head = response.httpResponse
            if let error = error(head.statusCode, Request.succeeded(head, data: data)) {
                throw error
            }
            return response
        }
    }

    /// A response with a value as a decoder reads it.
    static func encoded(
        _ value: some Encodable, for decoder: Any, _ status: Int?,
        _ headers: HeaderDictionary<String>, _ encoder: (any EncoderType)?
    ) -> StubResponse {
        if let optional = value as? any AnyOptional {
            guard let wrapped = optional.wrapped as? any Encodable else {
                return .status(status ?? 204, headers: headers)
            }
            return encoded(wrapped, for: decoder, status, headers, encoder)
        }
        let status = status ?? 200
        do {
            switch value {
            case let data as Data: return .data(data, status: status, headers: headers)
            case let text as String:
                return .data(Data(text.utf8), status: status, headers: headers)
            case is EmptyResponse: return .status(status, headers: headers)
            default:
                let whole =
                    (decoder as? any NestingDecoder)?.whole ?? (decoder: decoder, keys: [])
                let encoder = try encoder ?? mirror(of: whole.decoder)
                let data = try encoder.encode(Under(keys: whole.keys[...], value: value))
                return .data(
                    data, status: status, headers: headers.with(encoder.contentType?.rawValue))
            }
        } catch {
            return .throwing(error)
        }
    }

    private static func mirror(of decoder: Any) throws -> any EncoderType {
        switch decoder {
        case let json as JSONDecoder:
            if let encoder = JSONEncoder(mirroring: json) { return encoder }
        case is PropertyListDecoder: return PropertyListEncoder()
        default: break
        }
        throw StubError.notEncodable(Request.self, by: decoder)
    }
}

extension JSONEncoder {
    /// An encoder with the strategies of a decoder; `nil` if the decoder has a custom strategy or a
    /// date formatter.
    fileprivate convenience init?(mirroring decoder: JSONDecoder) {
        self.init()
        switch decoder.keyDecodingStrategy {
        // `convertFromSnakeCase` doesn't change a key that has no underscores, so the encoder keeps
        // keys as they are. `convertToSnakeCase` is not the reverse: it would encode `imageURL` as
        // `image_url`, which would be decoded as `imageUrl`.
        case .useDefaultKeys, .convertFromSnakeCase: break
        default: return nil
        }
        switch decoder.dateDecodingStrategy {
        case .deferredToDate: break
        case .secondsSince1970: dateEncodingStrategy = .secondsSince1970
        case .millisecondsSince1970: dateEncodingStrategy = .millisecondsSince1970
        case .iso8601: dateEncodingStrategy = .iso8601
        default: return nil
        }
        switch decoder.dataDecodingStrategy {
        case .base64: break
        case .deferredToData: dataEncodingStrategy = .deferredToData
        default: return nil
        }
        switch decoder.nonConformingFloatDecodingStrategy {
        case .convertFromString(let positive, let negative, let nan):
            nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        default: break
        }
    }
}

/// A value under the keys of a ``NestedDecoder``: `{"data": {"user": value}}`.
private struct Under<Value: Encodable>: Encodable {
    let keys: ArraySlice<String>
    let value: Value

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        guard let key = keys.first else {
            var container = encoder.singleValueContainer()
            return try container.encode(value)
        }
        var container = encoder.container(keyedBy: Key.self)
        let inner = Under(keys: keys.dropFirst(), value: value)
        try container.encode(inner, forKey: Key(stringValue: key))
    }
}

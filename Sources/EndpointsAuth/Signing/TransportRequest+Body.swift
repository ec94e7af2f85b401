import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportRequest {
    /// The SHA-256 digest of the body as it is sent, 32 bytes. A body that is a file is read for
    /// it, 64 KB at a time.
    ///
    ///     func name(of request: TransportRequest) async throws -> String {
    ///         try await request.bodyDigest().base64EncodedString()
    ///     }
    ///
    /// Without a body, it is the digest of no bytes.
    /// - Throws: A ``Endpoints/FileError`` for a file that can't be read, and an
    ///   ``Endpoints/EndpointError`` for a body that can be read only once.
    public func bodyDigest() async throws -> Data {
        var hash = SHA256()
        try await readBody { hash.update($0) }
        return Data(hash.finalized())
    }

    /// Calls a function with each chunk of the body, which is still whole when it is sent.
    /// - Throws: As ``bodyDigest()``.
    func readBody(_ use: (Data) throws -> Void) async throws {
        if let upload {
            // The observer of an upload counts what is sent, and this isn't.
            for try await chunk in try Upload(upload.pieces).chunks() { try use(chunk) }
        } else if urlRequest.httpBodyStream != nil {
            throw EndpointError(
                requestType: "\(requestType)", field: .body,
                reason: "is a stream that can be read only once, so it can't be signed; send a "
                    + "`File`, or set the request's `upload`")
        } else if let data = urlRequest.httpBody {
            try use(data)
        }
    }
}

extension RequestSigner {
    /// The HMAC of bytes with SHA-256 (RFC 2104), 32 bytes. A key may have any length.
    ///
    ///     struct TimeSigner: RequestSigner {
    ///         let key: Data
    ///         func account() -> String { "job" }
    ///         func sign(_ request: inout TransportRequest, at date: Date) {
    ///             let code = hmacSHA256(of: Data("\(date)".utf8), key: key)
    ///             request.urlRequest.setValue(
    ///                 code.base64EncodedString(), forHTTPHeaderField: "X-Signature")
    ///         }
    ///     }
    public func hmacSHA256(of bytes: Data, key: Data) -> Data {
        Data(SHA256.hmac(bytes, key: key))
    }
}

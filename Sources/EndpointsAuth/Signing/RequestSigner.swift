import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs requests, such as with a key that the server knows.
///
///     struct BodySigner: RequestSigner {
///         let hmac: @Sendable (Data) -> String
///         func account() -> String { "backup-job" }
///         func sign(_ request: inout TransportRequest, at date: Date) async throws {
///             let digest = try await request.bodyDigest()
///             request.urlRequest.setValue(hmac(digest), forHTTPHeaderField: "X-Signature")
///         }
///     }
///
/// Pass a signer to ``Endpoints/Transport/signed(by:trusting:clock:)``, which says for which
/// requests it is called.
public protocol RequestSigner: Sendable {
    /// Signs a request that is sent as it then is: after all other middleware, and once for each
    /// attempt and for each redirect.
    ///
    /// The `request` never has an earlier signature. Whatever this function sets is sent once, and
    /// then dropped.
    /// - Parameters:
    ///   - request: The request, which gets the signature.
    ///   - date: The time of the signature. It is that of the transport's clock.
    /// - Throws: Any error. The request isn't sent then.
    func sign(_ request: inout TransportRequest, at date: Date) async throws

    /// A name of whose signature it is, such as the id of the key. A cache keeps the responses of
    /// one name apart from those of another one. The name isn't shown or sent.
    func account() async throws -> String
}

/// A signer that learns from a response why its signature was refused, such as that its clock is
/// wrong.
public protocol CorrectingSigner: RequestSigner {
    /// Reads what a response says about the signature, and returns whether to sign and send the
    /// request once more.
    ///
    /// Return `true` only if the server has refused the signature without carrying out the request,
    /// and the next signature will differ. A request whose body can be read only once isn't sent
    /// again.
    /// - Parameters:
    ///   - response: The response to the signed request.
    ///   - request: The request as it was signed.
    ///   - date: The time of the transport's clock at which the response arrived.
    func isCorrected(
        by response: HTTPURLResponse, to request: TransportRequest, at date: Date
    ) async throws -> Bool
}

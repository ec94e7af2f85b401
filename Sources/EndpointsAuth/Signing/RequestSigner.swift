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
    /// then dropped. A signer that has something to learn from the response calls
    /// ``Endpoints/TransportRequest/signAgain(if:)``.
    /// - Parameters:
    ///   - request: The request, which gets the signature.
    ///   - date: The time of the signature. It is that of the transport's clock.
    /// - Throws: Any error. The request isn't sent then.
    func sign(_ request: inout TransportRequest, at date: Date) async throws

    /// A name of whose signature it is, such as the id of the key. The name isn't shown or sent.
    ///
    /// A cache keeps the responses of one name apart from those of another one. All requests of a
    /// call have the same name, also when it is tried again or a download goes on: if another one
    /// signs in meanwhile, the call ends with an ``EndpointsMiddleware/SignInError``. So the name
    /// should stay when a key is renewed.
    func account() async throws -> String
}

/// A signer whose account may have another name after some time.
protocol LastingSigner: RequestSigner {
    /// Whether the account has the same name in a later process.
    var isLasting: Bool { get async throws }
}

extension TransportRequest {
    /// Lets a signer read the response to the request that it signs, such as for the nonce or the
    /// time of the next signature.
    ///
    ///     actor NonceSigner: RequestSigner {
    ///         private var nonce: String?
    ///         func account() -> String { "backup-job" }
    ///
    ///         func sign(_ request: inout TransportRequest, at date: Date) {
    ///             let used = nonce
    ///             request.urlRequest.setValue(used, forHTTPHeaderField: "X-Nonce")
    ///             request.signAgain(if: { response, _ in
    ///                 await self.isNew(response, after: used)
    ///             })
    ///         }
    ///
    ///         private func isNew(_ response: HTTPURLResponse, after used: String?) -> Bool {
    ///             nonce = response.value(forHTTPHeaderField: "X-Nonce") ?? nonce
    ///             return response.statusCode == 401 && nonce != used
    ///         }
    ///     }
    ///
    /// Call this in ``RequestSigner/sign(_:at:)``. If it was called before, as by a middleware,
    /// `signed(by:)` throws an ``Endpoints/EndpointError``. The function is called once, with the
    /// response to this signature, whatever its status. If it returns `true`, the request is signed
    /// and sent once more, and not a third time. A request whose body can be read only once isn't
    /// sent again.
    /// - Parameter isCorrected: Returns `true` only if the server has refused the signature without
    ///   carrying out the request, and the next signature will differ. `date` is the time of the
    ///   transport's clock at which the response arrived. What it throws ends the request.
    public mutating func signAgain(
        if isCorrected:
            @escaping @Sendable (_ response: HTTPURLResponse, _ date: Date) async throws -> Bool
    ) {
        if let signatureReaders {
            signatureReaders.add(isCorrected)
        } else {
            memory.withLock { $0[ObjectIdentifier(MisplacedReader.self)] = true }
        }
    }

    /// Where ``signAgain(if:)`` adds its functions; `nil` before a signer has begun to sign.
    var signatureReaders: SignatureReaders? {
        get { memory.withLock { $0[ObjectIdentifier(SignatureReaders.self)] as? SignatureReaders } }
        nonmutating set {
            memory.withLock { $0[ObjectIdentifier(SignatureReaders.self)] = newValue }
        }
    }

    /// Whether ``signAgain(if:)`` was called before a signer had begun to sign.
    var hasMisplacedReader: Bool {
        memory.withLock { $0[ObjectIdentifier(MisplacedReader.self)] != nil }
    }
}

private enum MisplacedReader {}

/// What reads the response to a signature: one function, or several if a signer calls others.
final class SignatureReaders: Sendable {
    typealias Reader = @Sendable (HTTPURLResponse, Date) async throws -> Bool

    private let all = Locked<[Reader]>([])

    func add(_ reader: @escaping Reader) { all.withLock { $0.append(reader) } }

    /// Whether to sign once more. Each function reads the response.
    func isCorrected(by response: HTTPURLResponse, at date: Date) async throws -> Bool {
        var isCorrected = false
        for read in all.withLock(\.self) where try await read(response, date) {
            isCorrected = true
        }
        return isCorrected
    }
}

import Endpoints
import EndpointsShared
import Foundation

/// An algorithm of HTTP message signatures, by its registered name (RFC 9421, section 6.2).
public struct MessageAlgorithm: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The registered name, such as `hmac-sha256`.
    public let rawValue: String

    /// An algorithm with a name that isn't listed here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// HMAC with SHA-256. The key is shared with the server.
    public static let hmacSHA256 = MessageAlgorithm(rawValue: "hmac-sha256")
    /// Ed25519. A signature has 64 bytes.
    public static let ed25519 = MessageAlgorithm(rawValue: "ed25519")
    /// ECDSA on the curve P-256 with SHA-256. A signature is r and s, 32 bytes each.
    public static let ecdsaP256SHA256 = MessageAlgorithm(rawValue: "ecdsa-p256-sha256")
    /// ECDSA on the curve P-384 with SHA-384. A signature is r and s, 48 bytes each.
    public static let ecdsaP384SHA384 = MessageAlgorithm(rawValue: "ecdsa-p384-sha384")
    /// RSASSA-PSS with SHA-512 and a salt of 64 bytes.
    public static let rsaPSSSHA512 = MessageAlgorithm(rawValue: "rsa-pss-sha512")
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    public static let rsaPKCS1SHA256 = MessageAlgorithm(rawValue: "rsa-v1_5-sha256")

    /// The registered name.
    public var description: String { rawValue }
}

/// A key that signs messages, and the one algorithm that it is used with.
///
///     let key = MessageSigningKey.hmacSHA256(sharedKey, id: "backup-job")
///
/// For another algorithm, a closure signs, such as `{ try privateKey.signature(for: $0) }` with a
/// `Curve25519.Signing.PrivateKey` of CryptoKit. With P-256, return the signature's
/// `rawRepresentation`.
///
/// No description shows the key.
public struct MessageSigningKey: Sendable {
    /// The name by which the server finds the key, the signature's `keyid`.
    public let id: String
    /// The algorithm.
    public let algorithm: MessageAlgorithm
    let sign: @Sendable (Data) async throws -> Data
    /// Why nothing can be signed with the key.
    let problem: String?

    /// A key whose signatures a closure makes.
    /// - Parameters:
    ///   - id: The key's id, which is sent as `keyid`.
    ///   - algorithm: The algorithm of the signatures.
    ///   - sign: Returns the signature of the bytes, in the algorithm's form. What it throws ends
    ///     the request.
    public init(
        id: String, algorithm: MessageAlgorithm,
        sign: @escaping @Sendable (Data) async throws -> Data
    ) {
        self.init(id: id, algorithm: algorithm, problem: nil, sign: sign)
    }

    private init(
        id: String, algorithm: MessageAlgorithm, problem: String?,
        sign: @escaping @Sendable (Data) async throws -> Data
    ) {
        self.id = id
        self.algorithm = algorithm
        self.sign = sign
        self.problem = problem
    }

    /// A key that is shared with the server, for HMAC with SHA-256. It should have 32 random bytes.
    /// With an empty key, each request ends with an ``Endpoints/EndpointError``.
    public static func hmacSHA256(_ key: Data, id: String) -> MessageSigningKey {
        MessageSigningKey(
            id: id, algorithm: .hmacSHA256, problem: key.isEmpty ? emptyKey : nil
        ) { Data(SHA256.hmac($0, key: key)) }
    }
}

/// A key that verifies signatures, and the one algorithm that it is used with. A message can't
/// choose another algorithm.
///
///     let key = MessageVerifyingKey.hmacSHA256(sharedKey, id: "server")
///
/// For another algorithm, a closure verifies, such as `{ publicKey.isValidSignature($1, for: $0) }`
/// with a `Curve25519.Signing.PublicKey` of CryptoKit.
///
/// No description shows the key.
public struct MessageVerifyingKey: Sendable {
    /// The `keyid` of the signatures.
    public let id: String
    /// The algorithm.
    public let algorithm: MessageAlgorithm
    let isValid: @Sendable (_ base: Data, _ signature: Data) async throws -> Bool
    /// Why nothing can be verified with the key.
    let problem: String?

    /// A key with which a closure verifies signatures.
    /// - Parameters:
    ///   - id: The key's id, as a signature's `keyid` names it.
    ///   - algorithm: The only algorithm of the key.
    ///   - isValid: Returns whether the second bytes are a valid signature of the first. What it
    ///     throws ends the request.
    public init(
        id: String, algorithm: MessageAlgorithm,
        isValid: @escaping @Sendable (_ base: Data, _ signature: Data) async throws -> Bool
    ) {
        self.init(id: id, algorithm: algorithm, problem: nil, isValid: isValid)
    }

    private init(
        id: String, algorithm: MessageAlgorithm, problem: String?,
        isValid: @escaping @Sendable (_ base: Data, _ signature: Data) async throws -> Bool
    ) {
        self.id = id
        self.algorithm = algorithm
        self.isValid = isValid
        self.problem = problem
    }

    /// A key that is shared with the server, for HMAC with SHA-256. With an empty key, each request
    /// ends with an ``Endpoints/EndpointError``.
    public static func hmacSHA256(_ key: Data, id: String) -> MessageVerifyingKey {
        MessageVerifyingKey(
            id: id, algorithm: .hmacSHA256, problem: key.isEmpty ? emptyKey : nil
        ) { base, signature in
            SHA256.hmac(base, key: key).isEqualInConstantTime(to: signature)
        }
    }
}

private let emptyKey = "has an empty key, with which everybody can sign; use 32 random bytes"

extension MessageSigningKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm.
    public var description: String { "MessageSigningKey(\(algorithm))" }
    /// No children, because `dump(_:)` would print what a closure keeps.
    public var customMirror: Mirror { .hidden(self) }
}

extension MessageVerifyingKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm.
    public var description: String { "MessageVerifyingKey(\(algorithm))" }
    /// No children, because `dump(_:)` would print what a closure keeps.
    public var customMirror: Mirror { .hidden(self) }
}

import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

/// A digest of a body, as `Content-Digest` and `Repr-Digest` have it (RFC 9530).
public struct DigestAlgorithm: Hashable, Sendable, CustomStringConvertible {
    /// The name in the fields, such as `sha-256`.
    let name: String

    /// SHA-256, 32 bytes.
    public static let sha256 = DigestAlgorithm(name: "sha-256")
    /// SHA-512, 64 bytes.
    public static let sha512 = DigestAlgorithm(name: "sha-512")

    /// The name as the fields have it, such as `sha-256`.
    public var description: String { name }
}

/// The digests that are computed of a body in parts.
struct BodyHash: Sendable {
    private var sha256: SHA256?
    private var sha512: SHA512?

    init(_ algorithms: some Sequence<DigestAlgorithm>) {
        for algorithm in algorithms {
            if algorithm == .sha256 { sha256 = SHA256() }
            if algorithm == .sha512 { sha512 = SHA512() }
        }
    }

    mutating func update(_ data: Data) {
        sha256?.update(data)
        sha512?.update(data)
    }

    func digest(_ algorithm: DigestAlgorithm) -> [UInt8]? {
        algorithm == .sha256 ? sha256?.finalized() : sha512?.finalized()
    }
}

/// The digests that a body must have, by a `Content-Digest` or `Repr-Digest`.
struct ExpectedDigests: Sendable {
    private var digests: [(algorithm: DigestAlgorithm, digest: [UInt8])] = []

    /// Reads a field; `nil` if it isn't valid, or has no digest of an algorithm that is known. The
    /// digests of others, such as the unsafe `md5`, are ignored (RFC 9530, section 5).
    /// - Parameter keys: The members that are read; `nil` for all.
    init?(_ field: String, only keys: Set<String>? = nil) {
        guard let members = StructuredMap<StructuredMember>(parsing: field) else { return nil }
        for algorithm in [DigestAlgorithm.sha256, .sha512] {
            guard keys?.contains(algorithm.name) != false, let member = members[algorithm.name]
            else { continue }
            guard case .item(let item) = member, case .bytes(let bytes) = item.value
            else { return nil }
            digests.append((algorithm, bytes))
        }
        guard !digests.isEmpty else { return nil }
    }

    var hash: BodyHash { BodyHash(digests.map(\.algorithm)) }

    /// Whether all digests are those of the body that was hashed.
    func match(_ hash: BodyHash) -> Bool {
        digests.allSatisfy { $0.digest.isEqualInConstantTime(to: hash.digest($0.algorithm) ?? []) }
    }
}

extension Collection<UInt8> {
    /// Whether the bytes are equal. The time doesn't tell at which byte they differ.
    func isEqualInConstantTime(to other: some Collection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension TransportRequest {
    /// The value of a `Content-Digest` of the body (RFC 9530, section 2).
    func contentDigest(_ algorithm: DigestAlgorithm) async throws -> String {
        let hash = try await bodyHash(BodyHash([algorithm]))
        let bytes = hash.digest(algorithm) ?? []
        return try StructuredMap([
            (algorithm.name, StructuredMember.item(StructuredItem(.bytes(bytes))))
        ]).serialized()
    }

    /// Whether a `Content-Digest` is that of the body; `nil` if it can't be read.
    func hasContentDigest(_ field: String) async throws -> Bool? {
        guard let expected = ExpectedDigests(field) else { return nil }
        return expected.match(try await bodyHash(expected.hash))
    }

    private func bodyHash(_ start: BodyHash) async throws -> BodyHash {
        var hash = start
        try await readBody { hash.update($0) }
        return hash
    }
}

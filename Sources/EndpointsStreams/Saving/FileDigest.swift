import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The digest that a downloaded file must have.
public struct FileDigest: Hashable, Sendable {
    /// 64 hexadecimal digits in lower case, or what was given in their place.
    let hex: String

    /// A SHA-256 digest (FIPS 180-4), as `sha256sum` prints it: 64 hexadecimal digits.
    public static func sha256(_ hex: String) -> FileDigest { FileDigest(hex: hex.lowercased()) }

    var isRight: Bool {
        hex.utf8.count == 64 && hex.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}

/// A downloaded file has other bytes than its digest says. It is the cause of a
/// `.responseParseError`.
public struct WrongDigestError: Error, Hashable, Sendable, LocalizedError {
    /// The SHA-256 digest that the call or the response says, as 64 hexadecimal digits.
    public let expected: String
    /// The digest of the bytes that were loaded.
    public let actual: String

    /// What is wrong, and what to do.
    public var errorDescription: String? {
        """
        the file has the SHA-256 digest \(actual), and must have \(expected); its bytes were \
        removed, so load it again
        """
    }
}

extension HTTPURLResponse {
    /// The SHA-256 digests of the whole file that the response has: that of the representation, and
    /// that of the content, which is the same if the response isn't a part (RFC 9530, sections 2
    /// and 3). None if the response is compressed, as both are of the compressed bytes then.
    var fileDigests: [FileDigest] {
        guard statusCode == 200, value(forHTTPHeaderField: "Content-Encoding") == nil
        else { return [] }
        return ["Repr-Digest", "Content-Digest"].compactMap { name in
            value(forHTTPHeaderField: name).flatMap(FileDigest.init(field:))
        }
    }
}

extension FileDigest {
    /// The member `sha-256=:…:` of a dictionary of digests (RFC 9530, section 2); `nil` if there is
    /// none, or the field isn't a dictionary. Of several, the last one counts (RFC 9651, section
    /// 4.2.2).
    init?(field: String) {
        var (reader, digest) = (StructuredReader(field), StructuredValue?.none)
        while let key = reader.nextKey() {
            let value = reader.value()
            if key == "sha-256" { digest = value }
        }
        guard reader.reachesEnd(), case .bytes(let bytes)? = digest, bytes.count == 32
        else { return nil }
        hex = bytes.hex
    }
}

extension OpenFile {
    /// The SHA-256 digest of the bytes that are in the file.
    ///
    /// - Throws: A ``FileError``, and `CancellationError`.
    func digest() async throws -> String {
        var (hash, offset) = (SHA256(), Int64(0))
        // One piece at a time is read, so it is used on one thread at a time.
        nonisolated(unsafe) let file = self
        while true {
            try Task.checkCancellation()
            let (before, start) = (hash, offset)
            // Other tasks may run between the pieces.
            (hash, offset) = try await inBackground { () throws(FileError) in
                var (hash, offset) = (before, start)
                while offset < start + 32 << 20 {
                    let chunk = try file.read(upTo: 1 << 18, from: Int(offset))
                    if chunk.isEmpty { break }
                    hash.update(chunk)
                    offset += Int64(chunk.count)
                }
                return (hash, offset)
            }
            if offset == start { return hash.finalized().hex }
        }
    }
}

import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The signatures of a body that is sent in chunks (“Signature Calculations for the Authorization
/// Header: Transferring Payload in Multiple Chunks” of the S3 API Reference).
struct AWSChunkSignatures {
    private let signature: AWSSignature
    /// The signature of the chunk before, or of the request.
    private(set) var last: String

    init(_ signature: AWSSignature, seed: String) {
        self.signature = signature
        last = seed
    }

    mutating func sign(chunk: Data) -> String {
        let empty = SHA256.hash([UInt8]()).hex
        return sign("PAYLOAD", empty, SHA256.hash(chunk).hex)
    }

    /// - Parameter trailer: The lines of the trailer, each ended by a line feed.
    mutating func sign(trailer: String) -> String {
        sign("TRAILER", SHA256.hash(Array(trailer.utf8)).hex)
    }

    private mutating func sign(_ kind: String, _ digests: String...) -> String {
        let start = [
            "\(AWSSignature.algorithm)-\(kind)", signature.timestamp, signature.scope, last,
        ]
        last = signature.signature(of: (start + digests).joined(separator: "\n"))
        return last
    }
}

/// A body in signed chunks, as a file that is removed with this value.
final class AWSChunkedFile: Sendable {
    /// The bytes of each chunk but the last one.
    static let chunkSize = 65_536

    let url: URL

    /// Reads a request's body, 64 KB at a time, and writes its chunks.
    /// - Throws: What reading the body throws, and an error of Foundation's if the temporary file
    ///   can't be written.
    init(
        of request: TransportRequest, _ signature: AWSSignature, seed: String, addsChecksum: Bool
    ) async throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("endpoints-\(UUID().uuidString)")
        let isMade = FileManager.default.createFile(
            atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw CocoaError(.fileWriteUnknown) }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        var signatures = AWSChunkSignatures(signature, seed: seed)
        var hash = SHA256()
        var rest = Data()
        func writeChunk(_ chunk: Data) throws {
            let head = "\(String(chunk.count, radix: 16));chunk-signature="
            try file.write(
                contentsOf: Data((head + signatures.sign(chunk: chunk) + "\r\n").utf8) + chunk)
            if !chunk.isEmpty { try file.write(contentsOf: Data("\r\n".utf8)) }
        }
        try await request.readBody { data in
            if addsChecksum { hash.update(data) }
            rest += data
            var unread = rest[...]
            while unread.count >= Self.chunkSize {
                try writeChunk(Data(unread.prefix(Self.chunkSize)))
                unread = unread.dropFirst(Self.chunkSize)
            }
            if unread.count < rest.count { rest = Data(unread) }
        }
        if !rest.isEmpty { try writeChunk(rest) }
        try writeChunk(Data())
        guard addsChecksum else {
            try file.write(contentsOf: Data("\r\n".utf8))
            return
        }
        let field = "\(Self.checksum):\(Data(hash.finalized()).base64EncodedString())"
        let last = signatures.sign(trailer: field + "\n")
        try file.write(contentsOf: Data("\(field)\r\nx-amz-trailer-signature:\(last)\r\n\r\n".utf8))
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The header of the trailer.
    static let checksum = "x-amz-checksum-sha256"
}

extension TransportRequest {
    /// Whether the request has a body.
    var carriesBody: Bool {
        urlRequest.httpBody?.isEmpty == false || urlRequest.httpBodyStream != nil
    }

    /// Sets what S3 needs to know of a body in chunks.
    mutating func setChunkedFields(addsChecksum: Bool) throws {
        let coding = urlRequest.value(forHTTPHeaderField: "Content-Encoding")
        urlRequest.setValue(
            "aws-chunked" + (coding.map { ",\($0)" } ?? ""),
            forHTTPHeaderField: "Content-Encoding")
        let length = try upload?.contentLength ?? Int64(urlRequest.httpBody?.count ?? 0)
        urlRequest.setValue("\(length)", forHTTPHeaderField: "X-Amz-Decoded-Content-Length")
        if addsChecksum {
            urlRequest.setValue(AWSChunkedFile.checksum, forHTTPHeaderField: "X-Amz-Trailer")
        }
    }

    /// Replaces the body. The file is there as long as the request.
    mutating func setBody(_ file: AWSChunkedFile) {
        let observe = upload?.observe
        var chunked = Upload([.file(file.url)])
        let length = (try? upload?.contentLength) ?? Int64(urlRequest.httpBody?.count ?? 0)
        chunked.observe = { [file] sent, total in
            // Progress counts the bytes of the body, without what the chunks add.
            _ = file
            try observe?(
                total > 0 ? Int64(Double(sent) / Double(total) * Double(length)) : 0, length)
        }
        urlRequest.setValue(nil, forHTTPHeaderField: "Content-Length")
        upload = chunked
    }
}

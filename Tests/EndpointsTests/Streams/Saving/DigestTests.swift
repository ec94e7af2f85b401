import EndpointsShared
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Digests of downloaded files", .timeLimit(.minutes(1)))
struct DigestTests {
    typealias GetModel = ResumedDownloadTests.GetModel

    static let content = FileServer.content(10_000)
    static let right = SHA256.hash(content).hex
    static let wrong = SHA256.hash(Data("other".utf8)).hex

    static func field(_ hex: String) -> String {
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { offset in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            return UInt8(hex[start...].prefix(2), radix: 16)
        }
        return "sha-256=:\(Data(bytes).base64EncodedString()):"
    }

    static let rows: [(digest: FileDigest?, fields: [String: String], isSaved: Bool)] = [
        (.sha256(right), [:], true),
        (.sha256(right.uppercased()), [:], true),
        (.sha256(wrong), [:], false),
        (nil, ["Repr-Digest": field(right)], true),
        (nil, ["Repr-Digest": field(wrong)], false),
        (nil, ["Content-Digest": field(right)], true),
        (nil, ["Content-Digest": field(wrong)], false),
        (.sha256(right), ["Content-Digest": field(wrong)], false),
        (.sha256(wrong), ["Repr-Digest": field(right)], false),
        (nil, ["Repr-Digest": "sha-512=:AAAA:, \(field(wrong))"], false),
        (nil, ["Repr-Digest": "\(field(wrong)), \(field(right))"], true),
        (nil, ["Repr-Digest": "a=(1 2), b, \(field(wrong));c=\"d\""], false),
        (nil, ["Repr-Digest": field(wrong).dropLast(2) + ":"], false),
        (nil, ["Repr-Digest": "a=\"\(field(wrong))\""], true),
        (nil, ["Repr-Digest": "\(field(wrong)), sha-256=1"], true),
        (nil, ["Repr-Digest": "\(field(wrong)), B=1"], true),
        (nil, ["Repr-Digest": "sha-256=:AAAA:"], true),
        (nil, ["Repr-Digest": "md5=:AAAA:"], true),
        (nil, ["Repr-Digest": field(wrong), "Content-Encoding": "gzip"], true),
    ]

    @Test(
        "A file appears only with the digests that the call and the response say", arguments: rows)
    func digests(_ row: (digest: FileDigest?, fields: [String: String], isSaved: Bool)) async throws
    {
        let folder = try Folder()
        let server = FileServer()
        server.state.withLock { $0.fields = row.fields }
        do throws(GetModel.TaskError) {
            try await server.client.download(GetModel(), to: folder.file, digest: row.digest)
            #expect(row.isSaved)
        } catch .responseParseError(_, _, let error) {
            #expect(!row.isSaved)
            #expect(error.cause is WrongDigestError)
        } catch { Issue.record(error) }
        let names = try folder.names
        #expect(names == (row.isSaved ? ["file"] : []))
    }

    @Test("The digest of a part's content isn't that of the file; that of the representation is")
    func parts() async throws {
        for (name, isSaved) in [("Content-Digest", true), ("Repr-Digest", false)] {
            let folder = try Folder()
            let server = FileServer()
            server.state.withLock { state in state.change = { $1.cut = 4000 } }
            await #expect(throws: GetModel.TaskError.self) {
                try await server.client.download(GetModel(), to: folder.file)
            }
            server.state.withLock { state in
                state.change = { $1.fields[name] = Self.field(Self.wrong) }
            }
            let file = try? await server.client.download(GetModel(), to: folder.file)
            #expect((file != nil) == isSaved)
            #expect(server.asked == ["-", "4000-"])
            let names = try folder.names
            #expect(names == (isSaved ? ["file"] : []))
        }
    }

    @Test("A file that exists is kept if it has the digest; another one is an error, and stays")
    func kept() async throws {
        for (digest, isKept) in [(Self.right, true), (Self.wrong, false)] {
            let folder = try Folder()
            let server = FileServer()
            try await server.client.download(GetModel(), to: folder.file)
            let bytes = try Data(contentsOf: folder.file)
            let file = try? await server.client.download(
                GetModel(), to: folder.file, ifExists: .keep, digest: .sha256(digest))
            #expect(file?.byteCount == (isKept ? Int64(bytes.count) : nil))
            #expect(server.asked == ["-"])
            #expect(try Data(contentsOf: folder.file) == bytes)
        }
    }

    @Test("A file that appears during a download is kept, if that was said")
    func appeared() async throws {
        for isKept in [true, false] {
            let folder = try Folder()
            let server = FileServer()
            let place = folder.file
            server.state.withLock { state in
                state.change = { _, _ in try? Data("own".utf8).write(to: place) }
            }
            let file = try? await server.client.download(
                GetModel(), to: place, ifExists: isKept ? .keep : .refuse)
            #expect(file?.byteCount == (isKept ? 3 : nil))
            #expect(try Data(contentsOf: place) == Data("own".utf8))
        }
    }

    @Test("A digest that can't be one is refused", arguments: ["", "abc", "g" + right.dropFirst()])
    func noDigest(_ text: String) async throws {
        let folder = try Folder()
        let server = FileServer()
        await #expect(throws: GetModel.TaskError.self) {
            try await server.client.download(GetModel(), to: folder.file, digest: .sha256(text))
        }
        #expect(server.asked.isEmpty)
    }
}

@Suite("Names that servers suggest for files")
struct SuggestedNameTests {
    private static let accents = String(repeating: "%cc%81", count: 150)

    static let rows: [(field: String?, name: String?)] = [
        (nil, nil),
        ("inline", nil),
        ("attachment; filename=\"report.pdf\"", "report.pdf"),
        ("Attachment; FILENAME=report.pdf", "report.pdf"),
        ("attachment; filename=\"a \\\"b\\\".txt\"", "a _b_.txt"),
        ("attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
        ("attachment; filename=\"EURO.txt\"; filename*=utf-8''%e2%82%ac.txt", "€.txt"),
        ("attachment; filename*=iso-8859-1'en'%A3.txt", "£.txt"),
        ("attachment; filename*=utf-8''%ff.txt; filename=b.txt", "b.txt"),
        ("attachment; filename*=utf-8''%e; filename=b.txt", "b.txt"),
        ("attachment; filename*=koi8-r''a; filename=b.txt", "b.txt"),
        ("attachment; filename*=a; filename=b.txt", "b.txt"),
        ("attachment; filename=\"../../.ssh/authorized_keys\"", "authorized_keys"),
        ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("attachment; filename*=UTF-8''a%00.sh", "a.sh"),
        ("attachment; filename=\"/\"", nil),
        ("attachment; filename=\"..\"", nil),
        ("attachment; filename=\"...\"", nil),
        ("attachment; filename=\"\"", nil),
        ("attachment; filename=\".bashrc\"", "bashrc"),
        ("attachment; filename=\" . a . \"", "a"),
        ("attachment; filename*=UTF-8''C:%5Cwindows%5Csystem.ini", "system.ini"),
        ("attachment; filename*=UTF-8''a%0d%0ab.txt", "ab.txt"),
        ("attachment; filename*=UTF-8''%e2%80%aegpj.exe", "gpj.exe"),
        ("attachment; filename=\"CON\"", "_CON"),
        ("attachment; filename=\"con.txt\"", "_con.txt"),
        ("attachment; filename=\"lpt1.tar.gz\"", "_lpt1.tar.gz"),
        ("attachment; filename=\"console.txt\"", "console.txt"),
        ("attachment; filename=\"a:b|c?.txt\"", "a_b_c_.txt"),
        (
            "attachment; filename=\"\(String(repeating: "a", count: 300)).pdf\"",
            String(repeating: "a", count: 196) + ".pdf"
        ),
        (
            "attachment; filename*=UTF-8''\(String(repeating: "%e2%82%ac", count: 100)).pdf",
            String(repeating: "€", count: 65) + ".pdf"
        ),
        // One character of more than 200 bytes, without which little is left.
        ("attachment; filename*=UTF-8''a\(accents).bashrc", "bashrc"),
        ("attachment; filename*=UTF-8''a\(accents)", nil),
        (
            "attachment; filename=\"\(String(repeating: "a", count: 199)) b\"",
            String(repeating: "a", count: 199)
        ),
    ]

    @Test(
        "A suggested name is that of a file in a folder, whatever the server sends", arguments: rows
    )
    func names(_ row: (field: String?, name: String?)) throws {
        let fields = row.field.map { ["Content-Disposition": $0] } ?? [:]
        #expect(try HTTPURLResponse.stub(200, fields).suggestedName == row.name)
    }
}

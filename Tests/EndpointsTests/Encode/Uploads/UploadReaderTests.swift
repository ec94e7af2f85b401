import Foundation
import Testing

@testable import Endpoints

@Suite("Reading uploads")
struct UploadReaderTests {
    static let sizes = [
        [], [0], [1], [0, 1, 0], [65_536], [65_535, 1], [65_537], [100_000, 0, 30_000, 1, 70_000],
    ]

    /// An upload of data and files in turn, and its bytes.
    static func upload(_ sizes: [Int]) throws -> (Upload, [TemporaryFile], Data) {
        var (pieces, files, bytes): ([Upload.Piece], [TemporaryFile], Data) = ([], [], Data())
        for (index, size) in sizes.enumerated() {
            let file = try TemporaryFile(count: size)
            let data = try Data(contentsOf: file.url)
            pieces.append(index.isMultiple(of: 2) ? .file(file.url) : .data(data))
            files.append(file)
            bytes += data
        }
        return (Upload(pieces), files, bytes)
    }

    @Test("The chunks of an upload are its bytes, each time it is read", arguments: sizes)
    func chunks(sizes: [Int]) async throws {
        let (upload, files, bytes) = try Self.upload(sizes)
        #expect(try upload.contentLength == bytes.count)
        #expect(try upload.data() == bytes)
        let chunks = try upload.chunks()
        #expect(chunks.contentLength == bytes.count)
        for _ in 0..<2 {
            var read = Data()
            for try await chunk in chunks {
                #expect((1...65_536).contains(chunk.count))
                read += chunk
            }
            #expect(read == bytes)
        }
        withExtendedLifetime(files) {}
    }

    /// An empty file of 4 EB without blocks, where the file system can have one.
    private static let sparseFile: URL? = ["/dev/shm", NSTemporaryDirectory()].lazy
        .map { URL(fileURLWithPath: $0).appendingPathComponent(UUID().uuidString) }
        .first { file in
            let descriptor = open(file.path, O_CREAT | O_WRONLY, 0o600)
            defer { close(descriptor) }
            if ftruncate(descriptor, 4 << 60) == 0 { return true }
            unlink(file.path)
            return false
        }

    @Test(
        "Files that have more bytes together than can be counted are refused",
        .enabled(if: sparseFile != nil))
    func sparseFiles() throws {
        let file = try #require(Self.sparseFile)
        defer { unlink(file.path) }
        #expect(try Upload([.file(file), .data(Data("x".utf8))]).contentLength == (4 << 60) + 1)
        let upload = Upload([.file(file), .data(Data("x".utf8)), .file(file), .file(file)])
        let error = #expect(throws: FileError.self) { try upload.contentLength }
        #expect(error?.url == file)
        #expect(
            error?.description
                == "the files have more bytes together than can be sent; send fewer or smaller ones"
        )
        #expect(throws: FileError.self) { try upload.data() }
        #expect(throws: FileError.self) { try upload.chunks() }
    }

    @Test(
        "A stream of an upload begins with the first byte each time it is opened", arguments: sizes)
    func stream(sizes: [Int]) throws {
        let (upload, files, bytes) = try Self.upload(sizes)
        let stream = UploadStream(upload)
        var buffer = [UInt8](repeating: 0, count: 10_007)
        stream.open()
        if stream.hasBytesAvailable { _ = stream.read(&buffer, maxLength: 7) }
        for _ in 0..<2 {
            stream.open()
            var read = Data()
            while stream.hasBytesAvailable {
                let count = stream.read(&buffer, maxLength: buffer.count)
                #expect(count > 0)
                read += buffer.prefix(max(count, 0))
            }
            #expect(read == bytes)
            #expect(stream.read(&buffer, maxLength: 1) == 0)
        }
        stream.close()
        withExtendedLifetime(files) {}
    }

    @Test("A file that can't be read is a typed error, and never the end of a stream")
    func missing() throws {
        let missing = URL(fileURLWithPath: "/nowhere/a")
        let upload = Upload([.data(Data("a".utf8)), .file(missing)])
        let error = #expect(throws: FileError.self) { try upload.chunks() }
        #expect(error == FileError(.missing, at: missing))
        let stream = UploadStream(upload)
        stream.open()
        #expect(stream.hasBytesAvailable)
        var byte: UInt8 = 0
        #expect(stream.read(&byte, maxLength: 1) == -1)
        #expect(stream.streamError as? FileError == error)
        #expect(stream.streamStatus == .error)
    }

    @Test(
        "What isn't a file is refused",
        arguments: [URL(fileURLWithPath: "/"), URL(fileURLWithPath: "/dev/null")]
            + [URL(string: "https://h/a")].compactMap(\.self))
    func notAFile(url: URL) throws {
        let error = #expect(throws: FileError.self) { try Upload([.file(url)]).contentLength }
        #expect(error == FileError(.notAFile, at: url))
    }

    #if os(Linux)
        @Test("A socket is refused as what isn't a file")
        func socket() throws {
            let file = try TemporaryFile(count: 0)
            let socket = file.url.deletingLastPathComponent().appendingPathComponent("socket")
            #expect(mknod(socket.path, S_IFSOCK | 0o600, 0) == 0)
            let error = #expect(throws: FileError.self) { try Upload([.file(socket)]).chunks() }
            #expect(error == FileError(.notAFile, at: socket))
        }
    #endif

    @Test(
        "A file whose length has changed ends the chunks before the last byte",
        arguments: [0, 1, 99_999, 100_001, 300_000])
    func changed(size: Int) async throws {
        let file = try TemporaryFile(count: 100_000)
        let upload = Upload([.data(Data("a".utf8)), .file(file.url), .data(Data("z".utf8))])
        let chunks = try upload.chunks()
        var iterator = chunks.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        try Data(count: size).write(to: file.url, options: [])
        let error = await #expect(throws: FileError.self) {
            while let chunk = try await iterator.next() { count += chunk.count }
        }
        #expect(error == FileError(.changed, at: file.url))
        #expect(count <= 100_000)
    }
}

import Foundation
import Testing

@testable import Endpoints

@Suite("Bytes that wait for a slow reader")
struct UnreadDataTests {
    @Test("Bytes are read in the order in which they arrived, however much waits meanwhile")
    func order() throws {
        var random = SplitMix64(seed: 5)
        var unread = UnreadData(limit: 1 << 30)
        var (written, read) = (0, 0)
        for turn in 0..<400 {
            let chunk = Data((written..<(written + 1 + turn * 113)).map { UInt8($0 % 251) })
            try unread.append(chunk)
            written += chunk.count
            // At times it is read to the end, and at times megabytes wait.
            for _ in 0..<Int.random(in: 0...(turn / 100 == 2 ? 0 : 6), using: &random) {
                read = try check(unread.next(), read)
            }
        }
        while read < written { read = try check(unread.next(), read) }
        #expect(try unread.next() == nil)
    }

    private func check(_ chunk: Data?, _ read: Int) throws -> Int {
        guard let chunk else { return read }
        let isRight = chunk.enumerated().allSatisfy { Int($1) == (read + $0) % 251 }
        try #require(isRight, "a byte after \(read) is wrong")
        return read + chunk.count
    }

    @Test("More bytes than the limit are refused, and as many as that are kept")
    func limit() throws {
        var unread = UnreadData(limit: 3_000_000)
        for _ in 0..<3 { try unread.append(Data(count: 1_000_000)) }
        #expect(throws: URLError.self) { try unread.append(Data(count: 1)) }
        var count = 0
        while let chunk = try unread.next() { count += chunk.count }
        #expect(count == 3_000_000)
        try unread.append(Data(count: 1))
    }

    #if canImport(FoundationNetworking)
        @Test("A file that ends before its unread bytes is an input or output error")
        func shortFile() throws {
            let null = URL(fileURLWithPath: "/dev/null")
            let file = UnreadFile(try OpenFile(open(null.path, O_RDWR), at: null))
            try file.append(Data(count: 1))
            errno = ENOSPC
            let error = #expect(throws: FileError.self) { try file.next() }
            #expect(error?.kind == .other(code: EIO))
        }
    #endif
}

import EndpointsMiddleware
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

@Suite("Downloads in several lanes", .timeLimit(.minutes(2)))
struct LaneTests {
    typealias GetModel = ResumedDownloadTests.GetModel

    static let content = FileServer.content(9_000_000)

    /// A server that has ranges, and says so.
    static func server() -> FileServer {
        let server = FileServer()
        server.state.withLock { state in
            state.content = content
            state.fields["Accept-Ranges"] = "bytes"
        }
        return server
    }

    @Test("All lanes together load the file once", arguments: [1, 2, 4, 8])
    func whole(lanes: Int) async throws {
        let folder = try Folder()
        let server = Self.server()
        let file = try await server.client.download(GetModel(), to: folder.file, lanes: lanes)
        #expect(file.byteCount == 9_000_000)
        #expect(try Data(contentsOf: folder.file) == Self.content)
        let names = try folder.names
        #expect(names == ["file"])
        #expect(server.asked.first == "-" && (lanes > 1 || server.asked.count == 1))
    }

    @Test("There is one lane for a server without ranges or validators, and for a small file")
    func one() async throws {
        let changes: [@Sendable (inout FileServer.State) -> Void] = [
            { $0.fields["Accept-Ranges"] = nil }, { $0.fields["Accept-Ranges"] = "none" },
            { $0.tag = nil }, { $0.tag = "W/\"1\"" },
            { $0.content = FileServer.content(2_000_000) },
            { state in state.change = { $1.fields["Content-Length"] = nil } },
        ]
        for change in changes {
            let folder = try Folder()
            let server = Self.server()
            server.state.withLock(change)
            try await server.client.download(GetModel(), to: folder.file, lanes: 4)
            #expect(server.asked == ["-"])
            #expect(try Data(contentsOf: folder.file) == server.state.withLock(\.content))
        }
    }

    @Test("A lane whose requests fail leaves its work to the others", arguments: [403, 404, 429])
    func refused(status: Int) async throws {
        let folder = try Folder()
        let server = Self.server()
        server.state.withLock { state in
            state.change = {
                if $0 == 2 { $1 = .init(status: status, fields: [:], body: Data()) }
            }
        }
        try await server.client.download(GetModel(), to: folder.file, lanes: 2)
        #expect(try Data(contentsOf: folder.file) == Self.content)
    }

    @Test("A file that changes while lanes load it is loaded again, by one")
    func changed() async throws {
        let folder = try Folder()
        let server = Self.server()
        let other = FileServer.content(8_000_000, seed: 5)
        server.state.withLock { state in
            state.change = { number, response in
                // The first lane must not be faster than the others.
                if number == 1 { (response.cut, response.stalls) = (2_000_000, true) }
                if number == 2 { response = .init(status: 200, fields: [:], body: other) }
                if number > 2 {
                    response = .init(status: 200, fields: ["ETag": "\"2\""], body: other)
                }
            }
        }
        try await server.client.download(GetModel(), to: folder.file, lanes: 4)
        #expect(try Data(contentsOf: folder.file) == other)
        #expect(server.asked.last == "-")
    }

    @Test("Parts of several lanes are gone on with, by one or several", arguments: [1, 4])
    func resumed(lanes: Int) async throws {
        let folder = try Folder()
        let server = Self.server()
        server.state.withLock { state in
            // The first response ends the download after most of it; the others last longer.
            state.change = {
                $1.cut = $0 == 1 ? 1_500_000 : 500_000
                $1.stalls = $0 > 1
            }
        }
        await #expect(throws: GetModel.TaskError.self) {
            try await server.client.download(GetModel(), to: folder.file, lanes: 3)
        }
        server.state.withLock { $0.change = { _, _ in } }
        let file = try await server.client.download(GetModel(), to: folder.file, lanes: lanes)
        #expect(file.resumedByteCount >= 1_500_000)
        #expect(try Data(contentsOf: folder.file) == Self.content)
        #expect(try folder.names == ["file"])
    }

    @Test("Lanes with fewer connections than they would have load the file", arguments: [1, 2])
    func limited(slots: Int) async throws {
        let folder = try Folder()
        let server = Self.server()
        let transport = server.limited(perOrigin: slots)
        try await transport.download(in: .production, GetModel(), to: folder.file, lanes: 4)
        #expect(try Data(contentsOf: folder.file) == Self.content)
    }

    @Test("A number of lanes that can't be meant is refused", arguments: [-1, 0, 9])
    func wrong(lanes: Int) async throws {
        let folder = try Folder()
        let server = Self.server()
        do throws(GetModel.TaskError) {
            try await server.client.download(GetModel(), to: folder.file, lanes: lanes)
            Issue.record("it succeeded")
        } catch {
            let text =
                "GetModel: The call has `lanes: \(lanes)`, which can't be meant; write 1 to 8"
            #expect("\(error)".lowercased() == text.lowercased())
        }
        #expect(server.asked.isEmpty)
    }

    @Test("Spans are shared out, and are never loaded twice")
    func spans() throws {
        let first = Span(0..<10_000_000)
        let lanes = Lanes(first, and: [20_000_000..<21_000_000])
        #expect(lanes.next()?.rest == 20_000_000..<21_000_000)
        let second = try #require(lanes.next())
        #expect(second.rest == 5_000_000..<10_000_000 && first.rest == 0..<5_000_000)
        #expect(first.take(4_000_000) == 0..<4_000_000)
        #expect(lanes.next()?.rest == 7_500_000..<10_000_000)
        #expect(first.take(4_000_000) == 4_000_000..<5_000_000)
        #expect(lanes.next()?.rest == 6_250_000..<7_500_000)
        #expect(lanes.next()?.rest == 8_750_000..<10_000_000)
        #expect(lanes.next() == nil)
        lanes.giveBack(second)
        #expect(lanes.next()?.rest == 5_000_000..<6_250_000)
    }
}

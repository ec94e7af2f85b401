import EndpointsMiddleware
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

@Suite("Downloads in several lanes", .timeLimit(.minutes(2)))
struct LaneTests {
    typealias GetModel = ResumedDownloadTests.GetModel

    static let content = FileServer.content(9_000_000)

    /// A clock by which the other lanes are opened after some chunks, and which then stands still,
    /// so that they stay open.
    static var opening: TransportClock {
        let seconds = Locked(0.0)
        return clock {
            seconds.withLock { seconds in
                defer { seconds = min(seconds + 0.3, 1.2) }
                return seconds
            }
        }
    }

    static func clock(_ uptime: @escaping @Sendable () -> TimeInterval) -> TransportClock {
        TransportClock(
            date: { Date() }, uptime: uptime, sleep: TransportClock.system.sleep, random: { 1 })
    }

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
        let file = try await server.client.download(
            GetModel(), to: folder.file, lanes: lanes, clock: Self.opening)
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
            try await server.client.download(
                GetModel(), to: folder.file, lanes: 4, clock: Self.opening)
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
        try await server.client.download(GetModel(), to: folder.file, lanes: 2, clock: Self.opening)
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
        try await server.client.download(GetModel(), to: folder.file, lanes: 4, clock: Self.opening)
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
            try await server.client.download(
                GetModel(), to: folder.file, lanes: 3, clock: Self.opening)
        }
        server.state.withLock { $0.change = { _, _ in } }
        let file = try await server.client.download(
            GetModel(), to: folder.file, lanes: lanes, clock: Self.opening)
        #expect(file.resumedByteCount >= 1_500_000)
        #expect(try Data(contentsOf: folder.file) == Self.content)
        #expect(try folder.names == ["file"])
    }

    @Test("Lanes with fewer connections than they would have load the file", arguments: [1, 2])
    func limited(slots: Int) async throws {
        let folder = try Folder()
        let server = Self.server()
        let transport = server.limited(perOrigin: slots)
        try await transport.download(
            in: .production, GetModel(), to: folder.file, lanes: 4, clock: Self.opening)
        #expect(try Data(contentsOf: folder.file) == Self.content)
    }

    @Test("Lanes that bring nothing are closed, and the first one loads what they had")
    func closed() async throws {
        let folder = try Folder()
        let server = Self.server()
        let now = Locked(0.0)
        server.state.withLock { state in
            state.change = { number, response in
                let isOfLane = number > 1 && now.withLock { $0 < 2.75 }
                if isOfLane { (response.cut, response.stalls) = (0, true) }
            }
        }
        // By this clock, 0.5 MB arrive in a second.
        let clock = Self.clock {
            let time = Double(server.state.withLock(\.bytesRead)) / 5e5
            now.withLock { $0 = time }
            return time
        }
        try await server.client.download(GetModel(), to: folder.file, lanes: 4, clock: clock)
        #expect(try Data(contentsOf: folder.file) == Self.content)
    }

    @Test(
        "Several lanes stay open if they are faster than one",
        arguments: [
            (one: 20.0, several: 80.0, stay: true), (20, 40, true), (20, 27, true),
            (20, 25, false), (20, 20, false), (20, 5, false), (0, 1, true),
        ])
    func pace(one: Double, several: Double, stay: Bool) {
        let time = Locked(0.0)
        var (pace, count) = (LanePace(Self.clock { time.withLock(\.self) }), 0.0)
        func wait(at rate: Double, until isOver: (Int64) -> Bool) -> Double? {
            for step in 0..<500 {
                if isOver(Int64(count)) { return Double(step) / 100 }
                time.withLock { $0 += 0.01 }
                count += rate * 1e4
            }
            return nil
        }
        func isAbout(_ seconds: Double, _ time: Double?) -> Bool {
            time.map { abs($0 - seconds) < 0.05 } ?? false
        }
        #expect(isAbout(0.3, wait(at: one) { pace.isTimeForLanes(at: $0) }))
        let closed = wait(at: several) { pace.areSlow(at: $0) }
        #expect(stay ? closed == nil : isAbout(2, closed))
        if !stay { #expect(isAbout(4.15, wait(at: one) { pace.isTimeForLanes(at: $0) })) }
    }

    @Test("Lanes are tried again when a server limits a connection only after some time")
    func late() throws {
        let time = Locked(0.0)
        var (pace, count, areOpen, tried) = (
            LanePace(Self.clock { time.withLock(\.self) }), 0.0, false, 0
        )
        while time.withLock(\.self) < 20 {
            let isLimited = time.withLock { time in
                time += 0.01
                return time > 5
            }
            count += isLimited && !areOpen ? 1e4 : 4e4
            if areOpen {
                areOpen = !pace.areSlow(at: Int64(count))
            } else if pace.isTimeForLanes(at: Int64(count)) {
                (areOpen, tried) = (true, tried + 1)
            }
        }
        #expect(areOpen && tried == 2)
    }

    @Test("A number of lanes that can't be meant is refused", arguments: [-1, 0, 9])
    func wrong(lanes: Int) async throws {
        let folder = try Folder()
        let server = Self.server()
        do throws(GetModel.TaskError) {
            try await server.client.download(
                GetModel(), to: folder.file, lanes: lanes, clock: Self.opening)
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

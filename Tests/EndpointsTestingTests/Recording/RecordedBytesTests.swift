import Endpoints
import Foundation
import Testing

@testable import EndpointsTesting

@Suite("Bytes and files of recordings")
struct RecordedBytesTests {
    struct Send: FlatRequest {
        let body: Data
        static let endpoint = Endpoint<Self>(
            method: .post, path: "send", headers: [.contentType: "application/json"])
        typealias Response = Data
    }

    @Test(
        "A recorded body keeps its byte order mark and the digits of its numbers",
        arguments: [
            "\u{FEFF}{\"a\": 1}", "\u{FEFF}\u{FEFF}a", "\u{FEFF}", "\u{FEFF}1.0",
            #"{"a": 1.0, "b": 12345678901234567890123, "c": 1.10, "d": 1E5, "e": -0}"#,
            #"{"token": "t0k3n", "a": 1.10, "b": 12345678901234567890123456789012345678901234}"#,
            "\u{FEFF}{\"token\": \"t0k3n\", \"a\": 1.10}", "12345678901234567890123",
        ])
    func bytes(_ text: String) async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Send.self, .json(text))
        let send = Send(body: Data(text.utf8))
        _ = try await Recorder(stub, to: disk.file).response(in: server, with: send)
        let response = try await Replay(disk.file).response(in: server, with: send)
        let expected = Data(text.replacing("t0k3n", with: "masked01").utf8)
        #expect(response == expected)
        let request = try HTTPArchive(contentsOf: disk.file).entries.first?.request
        #expect(request?.postData?.text.map { Data($0.utf8) } == expected)
    }

    @Test("A second recorder of a file is refused, and the first one goes on, until it is gone")
    func secondRecorder() async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Send.self, .json("1"))
        do {
            let recorder = try Recorder(stub, to: disk.file)
            _ = try await recorder.response(in: server, with: Send(body: Data("1".utf8)))
            let error = #expect(throws: RecordingError.self) { try Recorder(stub, to: disk.file) }
            #expect(
                error?.description == """
                    another Recorder is writing the recording \(disk.file.path), in this process or \
                    another one; share one Recorder, release the other one first, or record to \
                    another file
                    """)
            _ = try await recorder.response(in: server, with: Send(body: Data("2".utf8)))
        }
        #expect(try Replay(disk.file).unused.count == 2)
        let last = try Recorder(stub, to: disk.file)
        _ = try await last.response(in: server, with: Send(body: Data("3".utf8)))
        #expect(try Replay(disk.file).unused.count == 1)
    }

    #if os(macOS) || os(Linux)
        @Test("A file that another process records to is refused")
        func secondProcess() throws {
            let disk = try ArchiveOnDisk("")
            let recorder = try Recorder(StubTransport(), to: disk.file)
            // `flock` of the other process sees what a recorder there would see.
            let python = Process()
            python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let code = "import fcntl, sys; fcntl.flock(open(sys.argv[1], 'r+'), 6)"
            python.arguments = ["python3", "-c", code, disk.file.path]
            python.standardError = FileHandle.nullDevice
            try python.run()
            python.waitUntilExit()
            #expect(python.terminationStatus == 1)
            withExtendedLifetime(recorder) {}
        }
    #endif

    @Test(
        "ENDPOINTS_RECORD turns recording on if it says yes, and off if it says no",
        arguments: [
            (nil, false), ("", false), (" ", false), ("0", false), ("0 ", false), ("false", false),
            ("No", false), ("off", false), ("1", true), (" 1", true), ("yes", true), ("TRUE", true),
            ("on", true),
        ] as [(String?, Bool)])
    func variable(_ value: String?, isOn: Bool) throws {
        #expect(try Recorder.isOn(value) == isOn)
    }

    @Test(
        "Any other ENDPOINTS_RECORD is refused, so that nothing is recorded by mistake",
        arguments: ["00", "2", "n", "never", "y", "\u{7}"])
    func otherVariable(_ value: String) {
        let error = #expect(throws: RecordingError.self) { try Recorder.isOn(value) }
        #expect(
            error?.description == """
                the environment variable ENDPOINTS_RECORD is `\(value)`; set it to 1 to record, or \
                to 0 to replay
                """)
    }
}

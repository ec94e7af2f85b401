// Uploads a file, and is killed meanwhile. See uploads.py.
//
//     UploadKills tus http://127.0.0.1:8000 video.bin states           uploads the rest
//     UploadKills tus http://127.0.0.1:8000 video.bin states kill 12   is killed at the 12th call
//     UploadKills tus http://127.0.0.1:8000 video.bin states fail 12 28   that call fails: ENOSPC

import Endpoints
import EndpointsAuth
import EndpointsDurable
import Foundation
import Kills

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Pieces of 64 KB.
struct AddFile: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files/")
    static let uploading = Resumable.tus(chunkSize: 64 << 10)
    typealias Response = Void
}

/// Three parts at a time, each in pieces of 32 KB.
struct AddInLanes: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files/")
    static let uploading = Resumable.tus(chunkSize: 32 << 10, lanes: 3)
    typealias Response = Void
}

/// Two parts of 64 KB at a time.
struct PutFile: FlatRequest, ResumableRequest {
    let key: String
    let body: File
    static let endpoint = Endpoint<Self>(method: .put, path: "bucket/\(path: \.key)")
    static let uploading = Resumable.s3(partSize: 64 << 10, lanes: 2)
    typealias Response = Void
}

struct SendFile: FlatRequest, ResumableRequest {
    let name: String
    let body: File
    static let endpoint = Endpoint<Self>(method: .put, path: "files/\(path: \.name)")
    static let uploading = Resumable.ietf(chunkSize: 64 << 10)
    typealias Response = Void
}

@main enum Main {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let url = URL(string: arguments[2]) else {
            print("UploadKills tus url file folder [kill number | fail number errno]")
            exit(64)
        }
        let (file, folder) = (
            URL(fileURLWithPath: arguments[3]), URL(fileURLWithPath: arguments[4])
        )
        if arguments.count > 6, let number = Int(arguments[6]) {
            if arguments[5] == "kill" {
                kill_at_call(number)
            } else {
                fail_from_call(number, arguments.count > 7 ? Int32(arguments[7]) ?? 5 : 5, 1)
            }
        }
        do {
            try await upload(arguments[1], file, to: url, folder)
            print("done \(calls_counted())")
        } catch {
            print("error \(error)")
            exit(2)
        }
    }

    static func upload(
        _ kind: String, _ file: URL, to url: URL, _ folder: URL
    ) async throws {
        // The proxy cuts connections, and this waits only for a moment.
        var clock = TransportClock.system
        clock.sleep = { try await TransportClock.system.sleep(min($0, 0.02)) }
        let server = ServerEnvironment(baseUrl: url)
        switch kind {
        case "tus":
            let api = EndpointClient(URLSession.shared, in: server)
            try await finish(
                api.upload(AddFile(body: File(file)), keepingStateIn: folder, clock: clock))
        case "lanes":
            let api = EndpointClient(URLSession.shared, in: server)
            try await finish(
                api.upload(AddInLanes(body: File(file)), keepingStateIn: folder, clock: clock))
        case "ietf":
            let api = EndpointClient(URLSession.shared, in: server)
            try await finish(
                api.upload(
                    SendFile(name: file.lastPathComponent, body: File(file)),
                    keepingStateIn: folder, clock: clock))
        default:
            let keys = ProcessInfo.processInfo.environment
            let signer = AWSSigner(
                service: "s3", region: "us-east-1",
                credentials: AWSCredentials(
                    accessKeyID: keys["UPLOAD_KEY"] ?? "",
                    secretAccessKey: keys["UPLOAD_SECRET"] ?? ""))
            let api = EndpointClient(URLSession.shared.signed(by: signer), in: server)
            try await finish(
                api.upload(
                    PutFile(key: file.lastPathComponent, body: File(file)),
                    keepingStateIn: folder, clock: clock))
        }
    }

    static func finish(_ upload: ResumableUpload<some ResumableRequest>) async throws {
        var last: Int64 = -1
        for try await step in upload {
            guard step.completed > last else { throw Failure(description: "progress fell") }
            last = step.completed
        }
        _ = try await upload.response()
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
}

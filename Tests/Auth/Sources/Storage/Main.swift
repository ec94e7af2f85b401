// Stores objects in a server that checks each signature. See storage.py.

import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Failure: Error, CustomStringConvertible {
    let description: String
}

func check(_ isRight: Bool, _ what: String) throws {
    guard isRight else { throw Failure(description: what) }
    print("ok  \(what)")
}

@main enum Main {
    static func main() async {
        do { try await run() } catch {
            print("failed: \(String(reflecting: error))")
            exit(1)
        }
    }

    static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let server = URL(string: "http://127.0.0.1:\(arguments[1])"),
            let cutting = URL(string: "http://127.0.0.1:\(arguments[2])")
        else { throw Failure(description: "Storage port cutting-port key secret") }
        let keys = AWSCredentials(accessKeyID: arguments[3], secretAccessKey: arguments[4])
        let payloads: [AWSSigner.Payload] = [
            .signed, .unsigned, .chunked(), .chunked(addsChecksum: true),
        ]
        for (number, payload) in payloads.enumerated() {
            try await useObjects(server, keys, payload, bucket: "bucket-\(number)")
        }
        try await isRefused(server, keys)
        try await uploadInParts(server, cutting, keys)
    }

    static func client(
        _ url: URL, _ bucket: String, _ keys: AWSCredentials,
        _ payload: AWSSigner.Payload = .signed
    ) -> EndpointClient<Bucket> {
        let signer = AWSSigner(
            service: "s3", region: "us-east-1", credentials: keys, payload: payload)
        let policy = RetryPolicy(attempts: 10, firstDelay: 0.01, budget: .unlimited)
        return EndpointClient(
            URLSession.shared.signed(by: signer).retrying(policy),
            in: Bucket(baseUrl: url.appending(path: bucket)))
    }

    static let names = [
        "plain.txt", "x//y", "/lead", "end/", "a b+c", "ü", "dir/./dot", "up/../down", "100%",
        "a%2Fb", "q?a=b&c", "#hash", "日本語/🎉", "!$&'()*,;=:@~", "tab\tkey", "..a", "-._~",
    ]

    static func useObjects(
        _ server: URL, _ keys: AWSCredentials, _ payload: AWSSigner.Payload, bucket: String
    ) async throws {
        let storage = client(server, bucket, keys, payload)
        try await storage(CreateBucket())
        for name in names {
            let data = Data("object \(name)".utf8)
            try await storage(PutObject(key: name, body: File(data)))
            try check(
                try await storage(GetObject(key: name)) == data,
                "\(payload) \(name)")
        }
        let list = try await storage(ListObjects())
        try check(
            list.keys?.count == names.count,
            "\(payload) \(names.count) keys in the list")
        let found = try await storage(ListObjects(prefix: "a b+"))
        try check(found.keys == ["a b+c"], "\(payload) a prefix with a plus")
        let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try await storage(PutObject(key: "large", body: File(large)))
        try check(
            try await storage(GetObject(key: "large")) == large,
            "\(payload) 200,000 bytes")
        let part = try await storage(
            GetObject(key: "x//y", range: "bytes=2-5"))
        try check(part == Data("ject".utf8), "\(payload) a range")
        for name in names { try await storage(DeleteObject(key: name)) }
    }

    /// The server checks signatures at all: it refuses that of another key.
    static func isRefused(_ server: URL, _ keys: AWSCredentials) async throws {
        let wrong = AWSCredentials(accessKeyID: keys.accessKeyID, secretAccessKey: "wrong")
        do {
            try await client(server, "refused", wrong)(CreateBucket())
            throw Failure(description: "a wrong key was accepted")
        } catch let error as CreateBucket.TaskError {
            try check("\(error)".contains("403"), "a wrong key is refused")
        }
    }

    /// 50 MB in ten parts, by a proxy that cuts five connections.
    static func uploadInParts(
        _ server: URL, _ cutting: URL, _ keys: AWSCredentials
    ) async throws {
        let size = 5 << 20
        let parts = (1...10).map { number in
            Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* number &>> 3) })
        }
        let storage = client(server, "large", keys)
        try await storage(CreateBucket())
        try await client(cutting, "large", keys).upload(parts, as: "a/b c")
        let stored = try await storage(GetObject(key: "a/b c"))
        try check(stored == Data(parts.joined()), "50 MB in ten parts")
    }
}

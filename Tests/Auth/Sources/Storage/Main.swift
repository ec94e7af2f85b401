// Stores objects in a server that checks each signature. See storage.py.

import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct StorageError: Decodable, Sendable {}

struct CreateBucket: FlatRequest {
    typealias Response = Void
    static let endpoint: Endpoint<CreateBucket> = Endpoint(method: .put, path: "\(path: \.bucket)")
    let bucket: String
}

struct PutObject: FlatRequest {
    typealias Response = Void
    static let endpoint: Endpoint<PutObject> = Endpoint(
        method: .put, path: "\(path: \.bucket)/\(path: \.key)")
    let bucket, key: String
    let body: File
}

struct GetObject: FlatRequest {
    typealias Response = Data
    static let endpoint: Endpoint<GetObject> = Endpoint(
        method: .get, path: "\(path: \.bucket)/\(path: \.key)",
        headers: ["Range": .field(path: \.range)])
    let bucket, key: String
    var range: String?
}

struct DeleteObject: FlatRequest {
    typealias Response = Void
    static let endpoint: Endpoint<DeleteObject> = Endpoint(
        method: .delete, path: "\(path: \.bucket)/\(path: \.key)")
    let bucket, key: String
}

struct ListObjects: FlatRequest {
    typealias Response = String
    static let endpoint: Endpoint<ListObjects> = Endpoint(
        method: .get, path: "\(path: \.bucket)",
        parameters: [
            .queryValue("list-type", value: 2), .query("prefix", path: \.prefix),
        ])
    let bucket: String
    var prefix: String?
}

struct BeginUpload: FlatRequest {
    typealias Response = String
    static let endpoint: Endpoint<BeginUpload> = Endpoint(
        method: .post, path: "\(path: \.bucket)/\(path: \.key)",
        parameters: [.queryValue("uploads", value: "")])
    let bucket, key: String
}

struct UploadPart: FlatRequest {
    typealias Response = WithHTTPResponse<String>
    static let endpoint: Endpoint<UploadPart> = Endpoint(
        method: .put, path: "\(path: \.bucket)/\(path: \.key)",
        parameters: [.query("partNumber", path: \.number), .query("uploadId", path: \.upload)])
    let bucket, key, upload: String
    let number: Int
    let body: File
}

struct EndUpload: FlatRequest {
    typealias Response = String
    static let endpoint: Endpoint<EndUpload> = Endpoint(
        method: .post, path: "\(path: \.bucket)/\(path: \.key)",
        parameters: [.query("uploadId", path: \.upload)])
    let bucket, key, upload: String
    let body: String
}

extension String {
    /// The text between an XML element's tags.
    func element(_ name: String) -> String? {
        guard let start = range(of: "<\(name)>"), let end = range(of: "</\(name)>")
        else { return nil }
        return String(self[start.upperBound..<end.lowerBound])
    }
}

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
        _ url: URL, _ keys: AWSCredentials, _ payload: AWSSigner.Payload = .signed
    ) -> EndpointClient<ServerEnvironment> {
        let signer = AWSSigner(
            service: "s3", region: "us-east-1", credentials: keys, payload: payload)
        let policy = RetryPolicy(attempts: 10, firstDelay: 0.01, budget: .unlimited)
        return EndpointClient(
            URLSession.shared.signed(by: signer).retrying(policy),
            in: ServerEnvironment(baseUrl: url))
    }

    static let names = [
        "plain.txt", "x//y", "/lead", "end/", "a b+c", "ü", "dir/./dot", "up/../down", "100%",
        "a%2Fb", "q?a=b&c", "#hash", "日本語/🎉", "!$&'()*,;=:@~", "tab\tkey", "..a", "-._~",
    ]

    static func useObjects(
        _ server: URL, _ keys: AWSCredentials, _ payload: AWSSigner.Payload, bucket: String
    ) async throws {
        let storage = client(server, keys, payload)
        try await storage(CreateBucket(bucket: bucket))
        for name in names {
            let data = Data("object \(name)".utf8)
            try await storage(PutObject(bucket: bucket, key: name, body: File(data)))
            try check(
                try await storage(GetObject(bucket: bucket, key: name)) == data,
                "\(payload) \(name)")
        }
        let list = try await storage(ListObjects(bucket: bucket))
        try check(
            list.components(separatedBy: "<Key>").count == names.count + 1,
            "\(payload) \(names.count) keys in the list")
        let found = try await storage(ListObjects(bucket: bucket, prefix: "a b+"))
        try check(found.element("Key") == "a b+c", "\(payload) a prefix with a plus")
        let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try await storage(PutObject(bucket: bucket, key: "large", body: File(large)))
        try check(
            try await storage(GetObject(bucket: bucket, key: "large")) == large,
            "\(payload) 200,000 bytes")
        let part = try await storage(
            GetObject(bucket: bucket, key: "x//y", range: "bytes=2-5"))
        try check(part == Data("ject".utf8), "\(payload) a range")
        for name in names { try await storage(DeleteObject(bucket: bucket, key: name)) }
    }

    /// The server checks signatures at all: it refuses that of another key.
    static func isRefused(_ server: URL, _ keys: AWSCredentials) async throws {
        let wrong = AWSCredentials(accessKeyID: keys.accessKeyID, secretAccessKey: "wrong")
        do {
            try await client(server, wrong)(CreateBucket(bucket: "refused"))
            throw Failure(description: "a wrong key was accepted")
        } catch let error as CreateBucket.TaskError {
            try check("\(error)".contains("403"), "a wrong key is refused")
        }
    }

    /// 50 MB in ten parts, by a proxy that cuts five connections.
    static func uploadInParts(
        _ server: URL, _ cutting: URL, _ keys: AWSCredentials
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let size = 5 << 20
        let uploading = client(cutting, keys)
        try await client(server, keys)(CreateBucket(bucket: "large"))
        let begun = try await uploading(BeginUpload(bucket: "large", key: "a/b c"))
        guard let upload = begun.element("UploadId") else { throw Failure(description: begun) }
        var whole = Data()
        var list = "<CompleteMultipartUpload>"
        for number in 1...10 {
            let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* number &>> 3) })
            try bytes.write(to: file)
            whole += bytes
            let part = try await uploading(
                UploadPart(
                    bucket: "large", key: "a/b c", upload: upload, number: number, body: File(file))
            )
            let tag = part.httpResponse.value(forHTTPHeaderField: "ETag") ?? ""
            list += "<Part><PartNumber>\(number)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        _ = try await uploading(
            EndUpload(
                bucket: "large", key: "a/b c", upload: upload,
                body: list + "</CompleteMultipartUpload>"))
        let stored = try await client(server, keys)(GetObject(bucket: "large", key: "a/b c"))
        try check(stored == whole, "50 MB in ten parts")
    }
}

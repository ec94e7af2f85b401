import Endpoints
import EndpointsDurable
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import EndpointsDurable

/// A storage server in memory, with multipart uploads. What it does wrong is told beforehand.
final class S3Server: Transport {
    enum Fault: Sendable {
        /// The connection is lost before anything is done.
        case cut
        /// The request is carried out, but the response is lost.
        case loseResponse
        case status(Int)
        case body(Int, String)
        /// Nothing happens until the task is cancelled.
        case hang
        /// Runs before the request is carried out.
        case run(@Sendable () throws -> Void)
    }

    struct State: Sendable {
        var uploads: [String: [Int: Data]] = [:]
        var objects: [String: (data: Data, tag: String)] = [:]
        /// What goes wrong with the requests of a kind, such as `part 2`, one after another.
        var faults: [String: [Fault]] = [:]
        var seen: [String] = []
        var requests: [URLRequest] = []
        var count = 0
        var pageSize = 1000
        /// What all responses have.
        var headers: [String: String] = [:]
        var (running, mostRunning) = (0, 0)
    }

    let state = Locked(State())
    var seen: [String] { state.withLock(\.seen) }
    var object: Data? { state.withLock { $0.objects["/bucket/a b"]?.data } }
    func fail(_ kind: String, _ faults: Fault...) {
        state.withLock { $0.faults[kind, default: []] += faults }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard let url = request.urlRequest.url, let method = request.urlRequest.httpMethod,
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { throw URLError(.badURL) }
        let query = Dictionary(
            (items.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
        let number = query["partNumber"].flatMap(Int.init)
        let kind =
            switch (method, query["uploadId"]) {
            case ("POST", nil): "create"
            case ("POST", _): "complete"
            case ("PUT", _): "part \(number ?? 0)"
            case ("GET", _): "list"
            case ("DELETE", _): "abort"
            default: "head"
            }
        let fault = state.withLock { state -> Fault? in
            state.seen.append(kind)
            state.requests.append(request.urlRequest)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            guard state.faults[kind]?.isEmpty == false else { return nil }
            return state.faults[kind]?.removeFirst()
        }
        defer { state.withLock { $0.running -= 1 } }
        var body = Data()
        if let upload = request.upload {
            if case .run(let change) = fault { try change() }
            for try await chunk in try upload.chunks() { body += chunk }
        }
        await Task.yield()
        switch fault {
        case .cut: throw URLError(.networkConnectionLost)
        case .status(let status): return try response(url, status, [:], "")
        case .body(let status, let text): return try response(url, status, [:], text)
        case .hang: try await Task.sleep(nanoseconds: 1_000_000_000_000)
        default: break
        }
        let (status, headers, text) = state.withLock {
            respond(kind, url.path, query["uploadId"] ?? "", query, body, &$0)
        }
        if case .loseResponse = fault { throw URLError(.networkConnectionLost) }
        return try response(url, status, headers, text)
    }

    private func respond(
        _ kind: String, _ path: String, _ id: String, _ query: [String: String], _ body: Data,
        _ state: inout State
    ) -> (Int, [String: String], String) {
        if kind == "create" {
            state.count += 1
            state.uploads["id+/\(state.count)"] = [:]
            return (
                200, [:],
                """
                <?xml version="1.0"?><InitiateMultipartUploadResult xmlns="a"><Bucket>b</Bucket>\
                <UploadId>id+/\(state.count)</UploadId></InitiateMultipartUploadResult>
                """
            )
        }
        if kind == "head" {
            guard let object = state.objects[path] else { return (404, [:], "") }
            return (200, ["ETag": "\"\(object.tag)\""], "")
        }
        guard let parts = state.uploads[id] else {
            return (404, [:], "<Error><Code>NoSuchUpload</Code></Error>")
        }
        switch kind {
        case "list":
            let marker = Int(query["part-number-marker"] ?? "") ?? 0
            let left = parts.keys.sorted().filter { $0 > marker }
            let list = left.prefix(state.pageSize).map { number in
                """
                <Part><PartNumber>\(number)</PartNumber><ETag>&quot;\(tag(parts[number]))&quot;</ETag>\
                <Size>\(parts[number]?.count ?? 0)</Size></Part>
                """
            }
            return (
                200, [:],
                """
                <ListPartsResult><IsTruncated>\(left.count > state.pageSize)</IsTruncated>\
                \(list.joined())</ListPartsResult>
                """
            )
        case "complete":
            let texts = XMLTexts(body).elements.filter { $0.name == "PartNumber" }.map(\.text)
            guard texts == (1...max(1, parts.count)).map({ "\($0)" })
            else { return (400, [:], "<Error><Code>InvalidPart</Code></Error>") }
            let whole = parts.sorted { $0.key < $1.key }.map(\.value)
            let digests = whole.flatMap { MD5.hash(Array($0)) }
            state.objects[path] = (
                Data(whole.joined()), "\(MD5.hash(digests).hex)-\(whole.count)"
            )
            state.uploads[id] = nil
            return (200, [:], "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
        case "abort":
            state.uploads[id] = nil
            return (204, [:], "")
        default:
            state.uploads[id]?[Int(query["partNumber"] ?? "") ?? 0] = body
            return (200, ["ETag": "\"\(tag(body))\""], "")
        }
    }

    private func tag(_ data: Data?) -> String { MD5.hash(Array(data ?? Data())).hex }

    private func response(
        _ url: URL, _ status: Int, _ headers: [String: String], _ text: String
    ) throws -> TransportResponse {
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1",
                headerFields: headers.merging(state.withLock(\.headers)) { $1 })
        else { throw URLError(.badServerResponse) }
        return TransportResponse(Data(text.utf8), head)
    }
}

/// Parts of 1,000 bytes, one after another.
struct PutObject: FlatRequest, ResumableRequest {
    var key = "a b"
    let body: File
    static let endpoint = Endpoint<Self>(
        method: .put, path: "bucket/\(path: \.key)",
        headers: [
            "x-amz-meta-a": .fieldValue(value: "b"),
            "Cache-Control": .fieldValue(value: "no-cache"),
            "x-amz-request-payer": .fieldValue(value: "requester"),
        ])
    static let uploading = Resumable.s3(partSize: 1000)
    typealias Response = Void
}

/// The same, with three parts at a time.
struct PutFast: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(
        method: .put, path: "bucket/a b")
    static let uploading = Resumable.s3(partSize: 100, lanes: 3)
    typealias Response = Void
}

import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A bucket of S3, or of a server like it: https://docs.aws.amazon.com/AmazonS3/latest/API
struct Bucket: EnvironmentType {
    let baseUrl: URL

    static func aws(_ name: String, region: String) -> Bucket {
        Bucket(baseUrl: URL(string: "https://\(name).s3.\(region).amazonaws.com")!)
    }
}

extension EndpointClient<Bucket> {
    /// A client that signs each attempt, also those that are sent again.
    init(_ bucket: Bucket, region: String, keys: some AWSCredentialSource) {
        let signer = AWSSigner(service: "s3", region: region, credentials: keys)
        self.init(URLSession.shared.signed(by: signer).retrying(), in: bucket)
    }
}

/// What all requests share: errors are XML.
protocol StorageRequest: FlatRequest where Environment == Bucket, ErrorResponse == StorageFailure {}

extension StorageRequest {
    static var responseDecoder: XMLTexts { XMLTexts() }
    static var errorDecoder: XMLTexts { XMLTexts() }
}

/// `<Error><Code>NoSuchKey</Code><Message>…</Message></Error>`
struct StorageFailure: Codable, Sendable {
    let code: String
    var message: String?

    enum CodingKeys: String, CodingKey {
        case code = "Code"
        case message = "Message"
    }
}

/// Makes the bucket.
struct CreateBucket: StorageRequest {
    static let endpoint = Endpoint<CreateBucket>(method: .put, path: "")
    typealias Response = Void
}

/// A key is one value of the path, whatever slashes and dots it has.
struct PutObject: StorageRequest {
    let key: String
    let body: File

    static let endpoint = Endpoint<PutObject>(method: .put, path: "\(path: \.key)")
    typealias Response = Void
}

struct GetObject: StorageRequest {
    let key: String
    /// Such as `bytes=0-99`.
    var range: String?

    static let endpoint = Endpoint<GetObject>(
        method: .get, path: "\(path: \.key)", headers: ["Range": .field(path: \.range)])
    typealias Response = Data
}

struct DeleteObject: StorageRequest {
    let key: String

    static let endpoint = Endpoint<DeleteObject>(method: .delete, path: "\(path: \.key)")
    typealias Response = Void
}

struct ListObjects: StorageRequest {
    var prefix: String?

    static let endpoint = Endpoint<ListObjects>(
        method: .get, path: "",
        parameters: [.queryValue("list-type", value: 2), .query("prefix", path: \.prefix)])

    struct Response: Codable, Sendable {
        var keys: [String]?

        enum CodingKeys: String, CodingKey {
            case keys = "All.Key"
        }
    }
}

// MARK: - A large object in parts, each of at least 5 MiB but the last one

struct BeginUpload: StorageRequest {
    let key: String

    static let endpoint = Endpoint<BeginUpload>(
        method: .post, path: "\(path: \.key)", parameters: [.queryValue("uploads", value: "")])

    struct Response: Codable, Sendable {
        let id: String

        enum CodingKeys: String, CodingKey {
            case id = "UploadId"
        }
    }
}

struct PutPart: StorageRequest {
    let key, upload: String
    let number: Int
    let body: File

    static let endpoint = Endpoint<PutPart>(
        method: .put, path: "\(path: \.key)",
        parameters: [.query("partNumber", path: \.number), .query("uploadId", path: \.upload)])
    typealias Response = WithHTTPResponse<Void>
}

struct EndUpload: StorageRequest {
    let key, upload: String
    let tags: [String]
    var body: String {
        let parts = tags.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        return "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
    }

    static let endpoint = Endpoint<EndUpload>(
        method: .post, path: "\(path: \.key)", parameters: [.query("uploadId", path: \.upload)])
    typealias Response = Void
}

extension EndpointClient<Bucket> {
    /// Stores an object of which one part at a time is in memory.
    func upload(_ parts: some Sequence<Data>, as key: String) async throws {
        let upload = try await self(BeginUpload(key: key)).id
        var tags: [String] = []
        for (index, part) in parts.enumerated() {
            let stored = try await self(
                PutPart(key: key, upload: upload, number: index + 1, body: File(part)))
            tags.append(stored.httpResponse.value(forHTTPHeaderField: "ETag") ?? "")
        }
        try await self(EndUpload(key: key, upload: upload, tags: tags))
    }
}

// MARK: - XML

/// Reads the texts of XML's innermost elements: `<A><B>1</B><B>2</B></A>` as
/// `{"B": "1", "All.B": ["1", "2"]}`.
struct XMLTexts: DecoderType {
    let contentType: MIMEType? = "application/xml"

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let reader = Reader()
        let parser = XMLParser(data: data)
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
        var json: [String: Any] = [:]
        for (name, texts) in reader.texts {
            json[name] = texts[0]
            json["All.\(name)"] = texts
        }
        let encoded = try JSONSerialization.data(withJSONObject: json)
        return try JSONDecoder().decode(type, from: encoded)
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var texts: [String: [String]] = [:]
        private var text: String?

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters characters: String) {
            text?.append(characters)
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
            qualifiedName: String?
        ) {
            if let text { texts[name, default: []].append(text) }
            text = nil
        }
    }
}

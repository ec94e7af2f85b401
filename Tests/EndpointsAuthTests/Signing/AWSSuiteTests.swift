import EndpointsShared
import Foundation
import Testing

@testable import EndpointsAuth

/// The public suite of signatures, of which each folder is a request: awslabs/aws-c-auth,
/// tests/aws-signing-test-suite/v4. It is read where the environment says that it is.
@Suite struct AWSSuiteTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let folder: URL
        var testDescription: String { folder.lastPathComponent }

        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
    }

    static let cases: [Case] = {
        guard let path = ProcessInfo.processInfo.environment["AWS_SIGNING_TEST_SUITE"]
        else { return [] }
        let folders = try? FileManager.default.contentsOfDirectory(
            at: URL(filePath: path), includingPropertiesForKeys: nil)
        return (folders ?? []).map(Case.init).sorted { $0.testDescription < $1.testDescription }
    }()

    @Test func `The suite has all of its 38 folders, if it is there`() {
        #expect(Self.cases.isEmpty || Self.cases.count >= 38)
    }

    @Test(arguments: cases)
    func `A request of the suite is signed by headers and by query`(_ example: Case) throws {
        let request = try SuiteRequest(example)
        #expect(try request.byHeaders.text == example.text("header-canonical-request.txt"))
        let signed = request.signature.stringToSign(try request.byHeaders)
        #expect(signed == (try example.text("header-string-to-sign.txt")))
        #expect(
            request.signature.signature(of: signed) == (try example.text("header-signature.txt")))
        #expect(request.byQuery.text == (try example.text("query-canonical-request.txt")))
        let presigned = request.signature.stringToSign(request.byQuery)
        #expect(presigned == (try example.text("query-string-to-sign.txt")))
        #expect(
            request.signature.signature(of: presigned) == (try example.text("query-signature.txt")))
    }
}

/// A request of the suite: its text, and the settings with which it is signed.
private struct SuiteRequest {
    struct Context: Decodable {
        struct Keys: Decodable {
            let access_key_id: String
            let secret_access_key: String
            let token: String?
        }
        let credentials: Keys
        let expiration_in_seconds: Int
        let normalize: Bool
        let region: String
        let service: String
        let sign_body: Bool
        let timestamp: Date
        let omit_session_token: Bool?
    }

    let context: Context
    let signature: AWSSignature
    private let method: String
    private let path: AWSPath
    private let query: [AWSQueryItem]
    private let fields: [(name: String, value: String)]
    private let digest: String

    init(_ example: AWSSuiteTests.Case) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let context = try decoder.decode(
            Context.self, from: Data(try example.text("context.json").utf8))
        self.context = context
        let keys = AWSCredentials(
            accessKeyID: context.credentials.access_key_id,
            secretAccessKey: context.credentials.secret_access_key,
            sessionToken: context.credentials.token)
        signature = try #require(
            AWSSignature(
                keys, at: context.timestamp, region: context.region, service: context.service))
        let text = try example.text("request.txt")
        let parts = text.components(separatedBy: "\n\n")
        var lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.removeFirst()
        let first = start.split(separator: " ")
        method = String(first[0])
        let target = start.dropFirst(first[0].count + 1).dropLast(" HTTP/1.1".count)
        let targetParts = target.split(separator: "?", maxSplits: 1)
        path = AWSPath(sent: targetParts[0], isOfS3: !context.normalize)
        query =
            targetParts.count == 2
            ? targetParts[1].split(separator: "&").map(AWSQueryItem.init(of:)) : []
        var fields: [(name: String, value: String)] = []
        for line in lines where !line.isEmpty {
            if line.hasPrefix(" ") {
                fields[fields.count - 1].value += " " + line
            } else {
                let field = line.split(separator: ":", maxSplits: 1)
                fields.append((String(field[0]), field.count == 2 ? String(field[1]) : ""))
            }
        }
        self.fields = fields
        digest = SHA256.hash(Data(parts.dropFirst().joined(separator: "\n\n").utf8)).hex
    }

    private var token: String? {
        context.omit_session_token == true ? nil : context.credentials.token
    }

    var byHeaders: CanonicalRequest {
        get throws {
            var fields = fields
            fields.append(("X-Amz-Date", signature.timestamp))
            if let token { fields.append(("X-Amz-Security-Token", token)) }
            if context.sign_body { fields.append(("x-amz-content-sha256", digest)) }
            return CanonicalRequest(
                method: method, path: path.canonical, query: query, fields: fields, payload: digest)
        }
    }

    var byQuery: CanonicalRequest {
        let names = CanonicalRequest(
            method: method, path: path.canonical, query: query, fields: fields, payload: digest
        ).signedHeaders
        let items = signature.queryItems(
            expires: context.expiration_in_seconds, signedHeaders: names,
            signsSessionToken: context.omit_session_token != true)
        return CanonicalRequest(
            method: method, path: path.canonical, query: query + items, fields: fields,
            payload: digest)
    }
}

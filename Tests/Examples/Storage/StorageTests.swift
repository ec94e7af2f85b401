import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import EndpointsTesting
import Foundation
import Testing

@Suite("Storage")
struct StorageTests {
    let stub = StubTransport()
    let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret")
    let bucket = Bucket.aws("photos", region: "eu-central-1")
    var storage: EndpointClient<Bucket> {
        let signer = AWSSigner(service: "s3", region: "eu-central-1", credentials: keys)
        return EndpointClient(stub.signed(by: signer), in: bucket)
    }

    @Test("No declaration of the storage's requests has a problem")
    func declarations() {
        #expect(
            problems(
                of: CreateBucket.self, PutObject.self, GetObject.self, DeleteObject.self,
                ListObjects.self, BeginUpload.self, PutPart.self, EndUpload.self
            ).isEmpty)
    }

    @Test("A key with slashes, dots and spaces is stored as it is")
    func keys() async throws {
        stub.on(PutObject.self) { _, urlRequest in
            let path = urlRequest.url?.absoluteString.split(separator: "/", maxSplits: 2).last
            let signature = urlRequest.value(forHTTPHeaderField: "Authorization") ?? ""
            #expect(path == "a%20b/x//%2E/%C3%BC")
            #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"))
            return .status(200)
        }
        try await storage(PutObject(key: "a b/x//./ü", body: File(Data("photo".utf8))))
    }

    @Test("A link lets anybody load an object for an hour")
    func link() async throws {
        let signer = AWSSigner(service: "s3", region: "eu-central-1", credentials: keys)
        let url = try await signer.presignedURL(
            of: GetObject(key: "a.jpg"), in: bucket, expires: 3600)
        #expect(url.absoluteString.contains("/a.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256&"))
    }

    @Test("An error of the server is a value with its code")
    func failure() async throws {
        let xml = "<Error><Code>NoSuchKey</Code><Message>No key.</Message></Error>"
        stub.on(GetObject.self, .status(404), .data(Data(xml.utf8)))
        let failure = try GetObject.errorDecoder.decode(
            StorageFailure.self, from: Data(xml.utf8))
        #expect(failure.code == "NoSuchKey")
    }

    @Test("The keys of a list are read from XML")
    func list() throws {
        let xml = "<List><Contents><Key>a</Key></Contents><Contents><Key>b</Key></Contents></List>"
        let list = try ListObjects.responseDecoder.decode(
            ListObjects.Response.self, from: Data(xml.utf8))
        #expect(list.keys == ["a", "b"])
    }
}

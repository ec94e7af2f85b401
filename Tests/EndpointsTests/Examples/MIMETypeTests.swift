import Endpoints
import Foundation
import Testing

extension MIMEType {
    fileprivate static let gitHub: MIMEType = "application/vnd.github+json"
}

@Suite("Media types in headers")
struct MIMETypeTests {
    struct SaveNote: FlatRequest {
        var accept: MIMEType = .json
        var contentType: MIMEType?
        let body: [String: String]
        typealias Response = Data

        static let endpoint = Endpoint<SaveNote>(
            method: .post, path: "notes",
            headers: [.accept: .field(path: \.accept), .contentType: .field(path: \.contentType)])
    }

    struct GetNote: RequestType {
        typealias Response = Data
        static let endpoint = Endpoint<GetNote>(
            method: .get, path: "notes/1",
            headers: [.accept: .fieldValue(value: MIMEType.gitHub)])
    }

    @Test("Declared media types are sent, and one that is nil is left out")
    func sent() throws {
        let own = SaveNote(
            accept: .xml, contentType: "application/merge-patch+json", body: ["a": "b"])
        let first = try own.urlRequest(in: .production)
        #expect(first.value(forHTTPHeaderField: "Accept") == "application/xml")
        #expect(first.value(forHTTPHeaderField: "Content-Type") == "application/merge-patch+json")
        let second = try SaveNote(body: [:]).urlRequest(in: .production)
        #expect(second.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(second.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("An API's own media type can be declared")
    func own() throws {
        let request = try GetNote().urlRequest(in: .production)
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/vnd.github+json")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }
}

import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response that can't be shared between actors.
final class Document {
    var title: String
    init(title: String) { self.title = title }
}

/// A request that can't be shared either, as it has a reference to such a response.
struct LoadDocument: RequestType {
    let draft: Document
    static let endpoint = Endpoint<LoadDocument>(
        method: .get, path: "anything", parameters: [.query("title", path: \.title)])
    struct Parameters { let title: String }
    var parameters: Parameters { Parameters(title: draft.title) }

    func prepare(_ request: inout URLRequest) { MainActor.assertIsolated() }

    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Document {
        #expect(!Thread.isMainThread, "decoded off the caller's actor")
        let anything = try JSONDecoder().decode(Anything.self, from: data)
        guard case .one(let title) = anything.args["title"] else {
            throw CocoaError(.coderReadCorrupt)
        }
        return Document(title: title)
    }
}

@MainActor
final class ViewModel {
    private(set) var document = Document(title: "draft")
    private(set) var failure: LoadDocument.TaskError?
    let session = URLSession.shared

    func load(in environment: ServerEnvironment) async {
        do {
            document = try await session.response(
                in: environment, with: LoadDocument(draft: document))
        } catch {
            failure = error
        }
    }

    func loadByCallback(in environment: ServerEnvironment) async throws {
        document = try await withCheckedThrowingContinuation { continuation in
            do {
                let request = LoadDocument(draft: document)
                let task = try session.endpointTask(in: environment, with: request) { result in
                    continuation.resume(with: result)
                }
                task.resume()
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}

@Suite("Isolation")
@MainActor
struct IsolationTests {
    @Test(
        "A main actor class can load a request and a response that aren't Sendable", .needsServers)
    func load() async throws {
        let model = ViewModel()
        let draft = model.document
        await model.load(in: try Server.httpbin.environment)
        #expect(model.document !== draft)
        #expect(model.document.title == "draft")
        model.document.title = "changed"
        await model.load(in: try Server.httpbin.environment)
        #expect(model.document.title == "changed")
        #expect(model.failure == nil)
    }

    @Test("A main actor class can load by callback what isn't Sendable", .needsServers)
    func loadByCallback() async throws {
        let model = ViewModel()
        let draft = model.document
        try await model.loadByCallback(in: try Server.httpbin.environment)
        #expect(model.document !== draft)
        #expect(model.document.title == "draft")
    }

    @Test("A main actor class catches the typed error without a cast")
    func failure() async throws {
        let model = ViewModel()
        await model.load(in: try ServerEnvironment(at: "ftp://h"))
        guard case .endpointError(let error) = model.failure else {
            Issue.record("no error")
            return
        }
        #expect(error.field == .baseUrl)
        #expect(model.document.title == "draft")
    }
}

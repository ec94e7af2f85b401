import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// https://agify.io
struct Agify: EnvironmentType {
    let baseUrl: URL
    static let production = Agify(baseUrl: URL(string: "https://api.agify.io")!)
}

struct Person: Decodable, Sendable {
    let name: String
    let age: Int
}

struct EstimateAge: FlatRequest {
    typealias Environment = Agify
    typealias Response = Person

    var name: String?
    var accept: MIMEType = .json

    static let endpoint = Endpoint<EstimateAge>(
        method: .get,
        path: "/",
        parameters: [.query("name", path: \.name)],
        headers: [.accept: .field(path: \.accept)])
}

extension RequestType where Self == EstimateAge {
    static func estimatedAge(forName name: String) -> Self {
        EstimateAge(name: name)
    }
}

@Suite("Agify")
struct AgifyTests {
    private let session = CannedResponses.session

    @Test("A request can be passed by dot syntax to response(in:with:)")
    func dotSyntax() async throws {
        let person = try await session.response(
            in: .production, with: .estimatedAge(forName: "Zaid"))
        #expect(
            "\(person.name) is probably \(person.age) years old."
                == "Zaid is probably 34 years old.")
    }

    @Test("A request can be passed by dot syntax to endpointTask(in:with:completion:)")
    func callback() async throws {
        let person = try await withCheckedThrowingContinuation { continuation in
            do {
                try session.endpointTask(in: .production, with: .estimatedAge(forName: "Zaid")) {
                    result in
                    continuation.resume(with: result)
                }.resume()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(person.age == 34)
    }

    @Test("Agify's request without a name has no query, and the declared Accept")
    func request() throws {
        let request = try EstimateAge().urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.agify.io/")
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
    }
}

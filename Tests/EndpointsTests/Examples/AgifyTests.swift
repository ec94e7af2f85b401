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
    private let session = CannedAnswers.session

    @Test("is asked by dot syntax")
    func dotSyntax() async throws {
        let person = try await session.response(
            in: .production, with: .estimatedAge(forName: "Zaid"))
        #expect(
            "\(person.name) is probably \(person.age) years old."
                == "Zaid is probably 34 years old.")
    }

    @Test("is asked by dot syntax with a callback")
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

    @Test("gets a URL without a name where there is none, and the header that was declared")
    func request() throws {
        let request = try EstimateAge().urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.agify.io/")
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
    }
}

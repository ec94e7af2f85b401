import Endpoints
import Foundation

extension ServerEnvironment {
    static let agify = ServerEnvironment(baseUrl: URL(string: "https://api.agify.io")!)
}

struct Person: Codable, Sendable {
    let name: String
    let age: Int
}

struct EstimateAge: FlatRequest, Sendable {
    let name: String?

    static let endpoint = Endpoint<Self>(
        method: .get, path: "",
        parameters: [.query("name", path: \.name)],
        headers: [.accept: .fieldValue(value: MIMEType.json)])
    typealias Response = Person
}

extension RequestType where Self == EstimateAge {
    static func estimatedAge(forName name: String) -> Self { EstimateAge(name: name) }
}

func age(of name: String, by transport: some Transport) async throws -> Int {
    try await transport.response(in: .agify, with: .estimatedAge(forName: name)).age
}

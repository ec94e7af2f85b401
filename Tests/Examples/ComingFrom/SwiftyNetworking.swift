import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct EstimateAges: FlatRequest, Sendable {
    let names: [String]
    /// Further items, whose names are known only when the program runs.
    let queryItems: [URLQueryItem]

    static let endpoint = Endpoint<Self>(
        method: .get, path: "",
        parameters: [
            .query("name", path: \.names, style: .brackets),
            .query(contentsOf: \.queryItems),
        ])
    typealias Response = [Person]

    func prepare(_ request: inout URLRequest) {
        request.timeoutInterval = 10
    }
}

func ages(of names: [String], by transport: some Transport) async throws -> [Int] {
    let country = URLQueryItem(name: "country_id", value: "DE")
    let request = EstimateAges(names: names, queryItems: [country])
    return try await transport.response(in: .agify, with: request).map(\.age)
}

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerEnvironment {
    static let production = ServerEnvironment(baseUrl: URL(string: "https://api.example.com/v1")!)
    static let staging = ServerEnvironment(baseUrl: URL(string: "http://localhost:8080/api")!)
}

/// One kind of request, made in four ways.
struct Case {
    /// Makes the `URLRequest` of a request for a server.
    typealias Maker<Request> = (Request, ServerEnvironment) throws -> URLRequest

    let name: String
    /// The most that the library may take of LIMIT's time and of HAND's.
    let goal: (limit: Double, hand: Double)
    /// The most allocations that the library may take, beside those of LIMIT and two.
    let mostAllocations: Double
    let candidates: [Candidate]
    let check: () throws -> Void

    init<Request: RequestType>(
        _ name: String, goal: (limit: Double, hand: Double),
        mostAllocations: Double = .infinity, inputs: [Request],
        hand: @escaping Maker<Request>, limit: @escaping Maker<Request>,
        floor: @escaping Maker<Request>
    ) where Request.Environment == ServerEnvironment {
        self.name = name
        self.goal = goal
        self.mostAllocations = mostAllocations
        let environments = [ServerEnvironment.production, .staging]
        candidates = [
            Candidate("library") { number in
                try inputs[number & 63].urlRequest(in: environments[number & 1])
            },
            Candidate("HAND") { number in try hand(inputs[number & 63], environments[number & 1]) },
            Candidate("LIMIT") { number in
                try limit(inputs[number & 63], environments[number & 1])
            },
            Candidate("FLOOR") { number in
                try floor(inputs[number & 63], environments[number & 1])
            },
        ]
        check = {
            for environment in environments {
                for input in inputs {
                    let library = try input.urlRequest(in: environment)
                    try library.mustEqual(try hand(input, environment), as: "HAND", in: name)
                    try library.mustEqual(try limit(input, environment), as: "LIMIT", in: name)
                    try library.mustEqual(try floor(input, environment), as: "FLOOR", in: name)
                }
            }
        }
    }
}

extension Case {
    static func all() throws -> [Case] {
        [constant, search, nestedSearch, genericSearch, signUp, article, try hundred()]
    }
}

/// Two ways that should make the same request don't.
struct Difference: Error, CustomStringConvertible {
    let description: String
}

extension URLRequest {
    fileprivate func mustEqual(_ other: URLRequest, as name: String, in test: String) throws {
        guard text != other.text else { return }
        throw Difference(description: "\(test): \(text)\nbut \(name) makes \(other.text)")
    }

    private var text: String {
        let fields = (allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        return "\(httpMethod ?? "") \(url?.absoluteString ?? "")\n"
            + fields.map { "\($0): \($1)\n" }.joined() + String(decoding: body, as: UTF8.self)
    }

    /// The body; a JSON object with its keys sorted, as each encoding has them in another order.
    private var body: Data {
        let data = httpBody ?? Data()
        guard let object = try? JSONSerialization.jsonObject(with: data) else { return data }
        return (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? data
    }
}

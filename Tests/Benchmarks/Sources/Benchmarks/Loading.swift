import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct GetNumber: FlatRequest {
    let i: Int

    static let endpoint = Endpoint<GetNumber>(
        method: .get, path: "ok", parameters: [.query("i", path: \.i)])
    typealias Response = Number

    struct Number: Decodable {
        let i: Int
    }

    /// The request, as people write it.
    static func byHand(_ number: Int, _ environment: ServerEnvironment) throws -> URLRequest {
        guard
            var components = URLComponents(
                url: environment.baseUrl, resolvingAgainstBaseURL: false)
        else { throw URLError(.badURL) }
        components.path += "/ok"
        components.queryItems = [URLQueryItem(name: "i", value: String(number))]
        guard let url = components.url else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    /// The response's value, as people decode it.
    static func byHand(_ loaded: (Data, HTTPURLResponse)) throws -> Number {
        guard (200..<300).contains(loaded.1.statusCode) else { throw URLError(.badURL) }
        return try JSONDecoder().decode(Number.self, from: loaded.0)
    }
}

/// A transport that responds at once.
struct Responding: Transport {
    let data = Data(#"{"i": 42}"#.utf8)
    let httpResponse: HTTPURLResponse

    /// - Parameter fields: The response's headers, beside its type and its date.
    init(_ fields: [String: String] = [:]) throws {
        let usual = ["Content-Type": "application/json", "Date": "Tue, 14 Nov 2023 22:13:20 GMT"]
        guard
            let httpResponse = HTTPURLResponse(
                url: ServerEnvironment.production.baseUrl, statusCode: 200, httpVersion: nil,
                headerFields: usual.merging(fields) { $1 })
        else { throw URLError(.badURL) }
        self.httpResponse = httpResponse
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(data, httpResponse)
    }

    /// The same for code written by hand.
    func load(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        (data, httpResponse)
    }
}

/// The time of a whole load, compared with one written by hand.
func loading() async throws {
    print("\nA whole load, against one written by hand\n")
    let base = ServerEnvironment.production
    let transport = try Responding()
    try await load(
        "a transport that responds at once", base, batch: 1000,
        library: { try await transport.response(in: base, with: GetNumber(i: $0)) },
        hand: [("by hand", 1.03, { try await transport.load($0) })])

    guard let address = ProcessInfo.processInfo.environment["ENDPOINTS_LOAD"],
        let url = URL(string: address)
    else { throw Difference(description: "ENDPOINTS_LOAD is not set; run `make bench`") }
    let server = ServerEnvironment(baseUrl: url)
    let session = URLSession(configuration: .ephemeral)
    try await load(
        "a server on the loopback", server, batch: 40,
        library: { try await session.response(in: server, with: GetNumber(i: $0)) },
        hand: [
            ("data(for:)", 1.03, { try checked(try await session.data(for: $0)) }),
            (
                "dataTask(with:…)", 1.03,
                { request in
                    try checked(
                        try await withCheckedThrowingContinuation { continuation in
                            let task = session.dataTask(with: request) {
                                data, httpResponse, error in
                                guard let data, let httpResponse else {
                                    return continuation.resume(
                                        throwing: error ?? URLError(.unknown))
                                }
                                continuation.resume(returning: (data, httpResponse))
                            }
                            task.resume()
                        })
                }
            ),
        ])
    try await rowLoading(session, server) { transport, number in
        keep(try await transport.response(in: server, with: GetNumber(i: number)))
    }
}

private func checked(_ loaded: (Data, URLResponse)) throws -> (Data, HTTPURLResponse) {
    guard let httpResponse = loaded.1 as? HTTPURLResponse else {
        throw URLError(.badServerResponse)
    }
    return (loaded.0, httpResponse)
}

private func load(
    _ name: String, _ environment: ServerEnvironment, batch: Int,
    library: @escaping (Int) async throws -> GetNumber.Number,
    hand: [(name: String, goal: Double, load: (URLRequest) async throws -> (Data, HTTPURLResponse))]
) async throws {
    let byLibrary = Runner(name: "library") { range in
        for number in range { keep(try await library(number)) }
    }
    let byHand = hand.map { hand in
        Runner(name: hand.name) { range in
            for number in range {
                let request = try GetNumber.byHand(number, environment)
                keep(try GetNumber.byHand(try await hand.load(request)))
            }
        }
    }
    let rows = try await race([byLibrary] + byHand, batch: batch)
    for (row, hand) in zip(rows.dropFirst(), hand) {
        print(
            line(
                "\(name), \(row.name)", rows[0].nanoseconds, row.nanoseconds,
                row.firstRelative.text(most: hand.goal)))
    }
}

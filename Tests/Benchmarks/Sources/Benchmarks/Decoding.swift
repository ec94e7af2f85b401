import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct GetItems: FlatRequest {
    static let endpoint = Endpoint<GetItems>(method: .get, path: "items")
    typealias Response = [Item]
}

private struct Item: Codable {
    let id: Int
    let name: String
    let price: Double
    let tags: [String]
}

/// The time to decode a response, compared with a decoder alone.
func decoding() throws {
    print("\nDecoding a response, against JSONDecoder().decode\n")
    for (name, count) in [("200 bytes", 3), ("1 MB", 15_000)] {
        let items = (0..<count).map { number in
            Item(id: number, name: "item \(number)", price: 1.5, tags: ["new", "blue"])
        }
        let data = try JSONEncoder().encode(items)
        guard let url = URL(string: "https://h/items"),
            let httpResponse = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badURL) }
        let comparison = try compare(
            [
                Candidate("library") { _ in try GetItems.decode(data, httpResponse) },
                Candidate("decoder") { _ in try JSONDecoder().decode([Item].self, from: data) },
            ], rounds: count > 3 ? 41 : 401)
        comparison.print("decoding \(name) (\(data.count) bytes)", most: 1.02)
    }
}

import Endpoints
import Foundation

/// A number as a type.
private protocol Count: SendableMetatype {
    static var count: Int { get }
}
private enum One: Count { static let count = 1 }
private enum Ten: Count { static let count = 10 }
private enum Hundreds: Count { static let count = 100 }
private enum Thousand: Count { static let count = 1000 }

/// A request with any number of query items.
private struct Long<Size: Count>: FlatRequest {
    let a, b, c, d: String

    static var endpoint: Endpoint<Self> {
        .once(Endpoint(method: .get, path: "long", parameters: ParameterList(parameters)))
    }
    typealias Response = Void

    private static var parameters: [Parameter<Self>] {
        let properties: [KeyPath<Self, String> & Sendable] = [\.a, \.b, \.c, \.d]
        return (0..<Size.count).map { .query("p\($0)", path: properties[$0 % 4]) }
    }

    static var candidate: Candidate {
        let requests = (0..<64).map { Self(a: "a\($0)", b: "value", c: "c \($0)", d: "item-\($0)") }
        return Candidate("\(Size.count)") {
            try requests[$0 & 63].urlRequest(in: .production)
        }
    }
}

/// A request with a value in its path.
private struct Deep: FlatRequest {
    let text: String

    static let endpoint = Endpoint<Deep>(method: .get, path: "deep/\(path: \.text)")
    typealias Response = Void
}

/// How the time grows with the number of query items and with the bytes of a path value.
func growth() throws {
    print("\nGrowth\n")
    let sizes = [
        Long<One>.candidate, Long<Ten>.candidate, Long<Hundreds>.candidate,
        Long<Thousand>.candidate,
    ]
    for row in try compare(sizes, rounds: 31).rows {
        let each = row.nanoseconds / (Double(row.name) ?? 1)
        print("\(row.name) query items: \(row.nanoseconds.ns), \(each.ns) each")
    }
    let hundreds = Long<Hundreds>.candidate
    let ten = Candidate("10 × 100") { range in
        for _ in 0..<10 { try hundreds.run(range) }
    }
    try compare([Long<Thousand>.candidate, ten]).print(
        "1000 query items, against 10 × 100", most: 1.1)

    for count in [10, 100, 1000, 10_000, 100_000] {
        let texts = (0..<8).map { String(repeating: "\($0)", count: count) }
        let path = Candidate("\(count)") {
            try Deep(text: texts[$0 & 7]).urlRequest(in: .production)
        }
        let time = try compare([path], rounds: 21).rows[0].nanoseconds
        let each = String(format: "%.1f ns", time / Double(count))
        print("a path value of \(count) bytes: \(time.ns), \(each) a byte")
    }
}

/// What it costs to make an endpoint, which is done once, against one request of it.
func firstUse() throws {
    print("\nFirst use\n")
    let requests = Search.inputs
    try compare([
        Candidate("endpoint") { _ in Search.makeEndpoint() },
        Candidate("request") { try requests[$0 & 63].urlRequest(in: .production) },
    ]).print("making case 2's endpoint, against one request")
}

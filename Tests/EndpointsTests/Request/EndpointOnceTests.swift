import Endpoints
import Foundation
import Testing

@Suite struct EndpointOnceTests {
    @Test("A generic request makes its endpoint once, at its first use")
    func madeOnce() throws {
        for _ in 0..<3 { _ = Page<Int>.endpoint }

        #expect(Page<Int>.made.count == 1)
        #expect(try Page<Int>(number: 7).urlRequest(in: .production).url?.path == "/v1/pages/Int/7")
    }

    @Test("A generic request has an endpoint for each type it stands for")
    func eachType() throws {
        #expect(
            try Page<String>(number: 1).urlRequest(in: .production).url?.path
                == "/v1/pages/String/1")
        #expect(
            try Page<Bool>(number: 1).urlRequest(in: .production).url?.path == "/v1/pages/Bool/1")
    }

    @Test("Threads that use a generic request first at the same time get one endpoint")
    func threads() {
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            let url = try? Page<Double>(number: number).urlRequest(in: .production).url
            #expect(url?.path == "/v1/pages/Double/\(number)")
        }
    }
}

private struct Page<Item: Decodable>: FlatRequest {
    let number: Int

    static var endpoint: Endpoint<Self> { .once(make()) }
    typealias Response = [Item]

    private static func make() -> Endpoint<Self> {
        made.add()
        return Endpoint(
            method: .get, path: "pages/\(path: \.type)/\(path: \.number)")
    }

    static var made: Counter { Counter.of("\(Item.self)") }
    var type: String { "\(Item.self)" }
}

/// A counter for each name.
private final class Counter: @unchecked Sendable {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var all: [String: Counter] = [:]
    private var number = 0

    var count: Int { Self.lock.withLock { number } }

    static func of(_ name: String) -> Counter {
        lock.withLock {
            let counter = all[name] ?? Counter()
            all[name] = counter
            return counter
        }
    }

    func add() { Self.lock.withLock { number += 1 } }
}

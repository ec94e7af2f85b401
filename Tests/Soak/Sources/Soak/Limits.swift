import Endpoints
import EndpointsMiddleware
import Foundation
import FoundationNetworking

/// Many short loads with a time limit of a day. What waits for the limit must end with its load, so
/// the memory in use doesn't grow.
struct Limits {
    let environment: ServerEnvironment
    let count: Int
    /// What `URLSession` itself keeps of each request, in bytes.
    let leak: Double

    /// How many bytes each load may leave, apart from that: what a heap's own order costs.
    private static let most = 50.0

    private struct Get: FlatRequest, Sendable {
        let i: Int
        static let endpoint = Endpoint<Get>(
            method: .get, path: "ok", parameters: [.query("i", path: \.i)])
        typealias Response = GetNumber.Number
        typealias ErrorResponse = GetNumber.Problem
        static let loadPolicy = LoadPolicy(timeLimit: 86_400)
    }

    /// Answers at once.
    private struct Answering: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard let url = request.urlRequest.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { throw URLError(.badURL) }
            return TransportResponse(Data(#"{"i": 1}"#.utf8), response)
        }
    }

    private static func stacks(
        on base: some Transport
    ) -> [(name: String, transport: any Transport)] {
        [
            ("alone", base), ("coalesced", base.coalesced()),
            ("limited", base.limited(perOrigin: 10)), ("paced", base.paced()),
            ("retrying", base.retrying()),
            ("all", base.coalesced().limited(perOrigin: 10).paced().retrying()),
        ]
    }

    /// Loads with each stack, and prints what each load leaves; whether that is little enough.
    func run(with session: URLSession) async -> Bool {
        print("limits: \(count) loads with each stack, and a limit of a day")
        var isFlat = true
        for stack in Self.stacks(on: Answering()) {
            let kept = await kept(by: stack.transport, count)
            isFlat = tell("at once, \(stack.name)", kept, 0) && isFlat
        }
        for stack in Self.stacks(on: session) {
            let kept = await kept(by: stack.transport, count / 10)
            isFlat = tell("URLSession, \(stack.name)", kept, leak) && isFlat
        }
        return isFlat
    }

    private func tell(_ name: String, _ kept: Double, _ leak: Double) -> Bool {
        let isFlat = kept < leak * 1.25 + Self.most
        print("  \(name): \(Int(kept)) bytes of each load\(isFlat ? "" : ", which is too much")")
        return isFlat
    }

    /// The bytes that are kept of each load, after as many as were measured.
    private func kept(by transport: any Transport, _ count: Int) async -> Double {
        await load(with: transport, count)
        let before = Usage.heap
        await load(with: transport, count)
        return max(Double(Usage.heap - before) / Double(count), 0)
    }

    private func load(with transport: any Transport, _ count: Int) async {
        let numbers = Numbers("limits", below: count, until: .now + .seconds(300))
        await withDiscardingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    while let i = numbers.next() {
                        _ = try? await transport.response(in: environment, with: Get(i: i))
                    }
                }
            }
        }
    }
}

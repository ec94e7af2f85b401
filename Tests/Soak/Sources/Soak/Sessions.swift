import Endpoints
import Foundation
import FoundationNetworking

/// Many sessions that live for a few loads only, with the library or with `URLSession` alone.
///
/// On Linux such a process now and then ends inside libdispatch, so each run is a process of its
/// own: soak.sh starts them in turns and counts how they end.
struct Sessions {
    let environment: ServerEnvironment
    let isPlain: Bool

    /// Runs all sessions at once; returns what went wrong.
    func run(_ count: Int = 30, loads: Int = 8) async -> [String] {
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { await session(loads) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func session(_ loads: Int) async -> [String] {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        return await withTaskGroup { group in
            for number in 0..<loads {
                group.addTask { await load(number, with: session) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func load(_ number: Int, with session: URLSession) async -> [String] {
        let request = GetNumber(path: "ok", i: number)
        do {
            let found =
                isPlain
                ? try await plain(request, with: session)
                : try await session.response(in: environment, with: request).i
            return found == number ? [] : ["\(number): \(found)"]
        } catch {
            return ["\(number): \(error)"]
        }
    }

    private func plain(_ request: GetNumber, with session: URLSession) async throws -> Int {
        let data = try await session.data(for: request.urlRequest(in: environment)).0
        return try JSONDecoder().decode(GetNumber.Number.self, from: data).i
    }
}

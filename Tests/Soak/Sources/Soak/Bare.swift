import Foundation
import FoundationNetworking

/// The same without the library, to know what `URLSession` itself keeps of each request.
///
/// With Swift 6.3.1 that is about 200 bytes, for ever: no library can give them back.
struct Bare {
    let session: URLSession
    let url: URL

    /// The bytes that are kept of a request.
    func leak(of count: Int = 10_000) async -> Double {
        await send(count / 2)
        let before = Usage.heap
        await send(count / 2)
        return max(Double(Usage.heap - before) / Double(count / 2), 0)
    }

    private func send(_ count: Int) async {
        let numbers = Numbers(
            "loads of URLSession alone", below: count, until: .now + .seconds(60))
        await withDiscardingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    while numbers.next() != nil { await send() }
                }
            }
        }
    }

    private func send() async {
        await withCheckedContinuation { done in
            session.dataTask(with: url) { _, _, _ in done.resume() }.resume()
        }
    }
}

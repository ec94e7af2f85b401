import Endpoints
import EndpointsCache
import EndpointsMiddleware
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Shows, with a server that is as unreliable as servers are, what the library does.
@main
struct Demo {
    let shop: ServerEnvironment
    let api: EndpointClient<ServerEnvironment>

    static func main() async throws {
        guard let url = ProcessInfo.processInfo.environment["ENDPOINTS_SHOP"],
            let baseUrl = URL(string: url)
        else {
            print("endpoints-demo needs the shop of Tests/Support/shop.py: run `make demo`")
            exit(64)
        }
        let shop = ServerEnvironment(baseUrl: baseUrl)
        let demo = Demo(shop: shop, api: EndpointClient(URLSession.shared, in: shop))
        do {
            try await demo.declarations()
            try await demo.stream()
            try await demo.signIn()
            try await demo.retry()
            try await demo.cache()
            try await demo.save()
            try await demo.download()
        } catch {
            print("\nThe demo FAILED: \(error)")
            exit(1)
        }
    }

    private func declarations() async throws {
        title("1. A request is a type: its values are escaped, and its error has a type")
        let search = FindToys(
            kind: "a/b c", words: "fish & chips", colors: ["1,2", "é"], page: nil)
        print("   \(try await api(search).line)")
        do throws(GetToy.TaskError) {
            try await api(GetToy(id: 0, note: nil))
        } catch .errorResponse(let httpResponse, let error) {
            print("   \(httpResponse.statusCode), decoded as ShopError: \(error.message)")
        }
        do {
            try await api(GetToy(id: 1, note: "secret\r\nX-Admin: 1"))
        } catch {
            print("   not sent: \(error)")
        }
    }

    private func stream() async throws {
        title("2. A stream of events, whose connection breaks off after the third")
        print("   euros:", terminator: "")
        for try await price in try await api(WatchPrices()) {
            print(" \(price.euros)", terminator: "")
        }
        try await printSeen("GET /prices")
    }

    private func signIn() async throws {
        title("3. Five requests at once, whose token has expired: one refresh")
        let tokens = MemoryCredentials(for: shop) { [api] _ in
            AccessToken(.bearer(try await api(RefreshToken()).token))
        }
        tokens.signIn(AccessToken(.bearer("first")))
        let user = EndpointClient(URLSession.shared.authorized(by: tokens), in: shop)
        let orders = await user.responses(to: (1...5).map { GetOrder(number: $0) }, atMost: 5)
        let numbers = try orders.map { "\(try $0.get().number)" }
        print("   orders: \(numbers.joined(separator: " "))", terminator: "")
        try await printSeen("GET /orders", "POST /token")
    }

    private func retry() async throws {
        title("4. A server that is busy, and asks for a second")
        let patient = EndpointClient(
            URLSession.shared.logged { print("   \($0)") }.retrying(), in: shop)
        print("   toys: \(try await patient(GetStock()).toys)", terminator: "")
        try await printSeen("GET /stock")
    }

    private func cache() async throws {
        title("5. A response that may be stored, loaded three times")
        let thrifty = EndpointClient(URLSession.shared.cached(in: .memory(megabytes: 1)), in: shop)
        print("   dishes:", terminator: "")
        for _ in 1...3 {
            print(" \(try await thrifty(GetMenu()).dish)", terminator: "")
        }
        try await printSeen("GET /menu")
    }

    private func save() async throws {
        title("6. A file, whose connection is lost in the middle")
        let (file, folder) = try newFile()
        defer { try? FileManager.default.removeItem(at: folder) }
        var last: TransferProgress?
        for try await progress in try await api(GetCatalogue()).saving(to: file) {
            last = progress
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        print("   saved \(attributes[.size] ?? 0) bytes", terminator: "")
        print(", progress \(last?.fraction ?? 0)", terminator: "")
        try await printSeen("GET /catalogue")
    }

    private func download() async throws {
        title("7. A download that is stopped in the middle, and goes on when it is begun again")
        let (file, folder) = try newFile()
        defer { try? FileManager.default.removeItem(at: folder) }
        for try await progress in api.download(GetManual(), to: file)
        where progress.completed > 1_500_000 {
            break
        }
        let manual = try await api.download(GetManual(), to: file)
        print("   saved \(manual.byteCount) bytes", terminator: "")
        print(", of which \(manual.resumedByteCount) had arrived before", terminator: "")
        try await printSeen("GET /manual")
    }

    /// A place for a file, in a new folder.
    private func newFile() throws -> (file: URL, folder: URL) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("endpoints-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return (folder.appendingPathComponent("file"), folder)
    }

    private func title(_ text: String) {
        print("\n\(text)")
    }

    /// Ends the line by how many requests the shop has got.
    private func printSeen(_ paths: String...) async throws {
        let seen = try await api(GetSeen())
        let counts = paths.map { "\(seen[$0] ?? 0) × \($0)" }
        print("\n   the server saw \(counts.joined(separator: ", "))")
    }
}

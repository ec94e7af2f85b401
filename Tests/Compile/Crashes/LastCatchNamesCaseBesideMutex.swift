// expect: Found outside of lifetime use
import Endpoints
import Synchronization

struct ShopError: Decodable, Sendable {
    let message: String
}

struct GetShirts: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = [Int]
    typealias ErrorResponse = ShopError
}

func count(_ api: EndpointClient<ServerEnvironment>) async throws -> Int {
    let count = Mutex(0)
    #if WRONG
        do {
            count.withLock { $0 += 1 }
            print(try await api(GetShirts()))
        } catch .errorResponse(_, let error) { print(error.message) }
    #else
        do {
            count.withLock { $0 += 1 }
            print(try await api(GetShirts()))
        } catch .errorResponse(_, let error) { print(error.message) } catch { throw error }
    #endif
    return count.withLock { $0 }
}

// expect: Found outside of lifetime use
import Endpoints

struct ShopError: Decodable, Sendable {
    let message: String
}

struct GetShirts: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = [Int]
    typealias ErrorResponse = ShopError
}

func shirts(_ api: EndpointClient<ServerEnvironment>) async throws -> [String] {
    #if WRONG
        do {
            return try await api(GetShirts()).map { "\($0)" }
        } catch .errorResponse(_, let error) { return [error.message] }
    #else
        do {
            return try await api(GetShirts()).map { "\($0)" }
        } catch .errorResponse(_, let error) { return [error.message] } catch { throw error }
    #endif
}

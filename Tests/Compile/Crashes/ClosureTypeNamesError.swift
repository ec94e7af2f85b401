// expect: Assertion failed
import Endpoints

struct ShopError: Decodable, Sendable {
    let message: String
}

struct GetShirts: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = [Int]
    typealias ErrorResponse = ShopError
}

func load(_ api: EndpointClient<ServerEnvironment>) {
    #if WRONG
        Task { () async throws(GetShirts.TaskError) in print(try await api(GetShirts())) }
    #else
        Task {
            do throws(GetShirts.TaskError) {
                print(try await api(GetShirts()))
            } catch .errorResponse(_, let error) {
                print(error.message)
            } catch { print(error) }
        }
    #endif
}

import Endpoints

struct Shop: Sendable {
    let client: EndpointClient<ServerEnvironment>

    func toys(matching search: String) async throws -> [Toy] {
        try await client(ListToys(search: search))
    }
}

import Endpoints

struct Shop: Sendable {
    let client: EndpointClient<ServerEnvironment>

    func toys(matching search: String) async throws -> [Toy] {
        try await client(ListToys(search: search))
    }

    func add(_ name: String, by account: Credentials) async -> String {
        do {
            let request = AddToy(
                body: NewToy(name: name), credentials: account)
            return "added \(try await client(request).id)"
        } catch .errorResponse(_, let error) {
            return "refused: \(error.message)"
        } catch {
            return error.localizedDescription
        }
    }
}

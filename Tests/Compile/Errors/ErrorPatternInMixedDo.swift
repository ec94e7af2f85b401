// expect: '_' can only appear in a pattern

import Endpoints

struct ShopError: Decodable { let message: String }

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}

func save() throws {}

func load(from server: ServerEnvironment, by transport: some Transport) async {
    #if WRONG
        do {
            try await transport.response(in: server, with: GetShirt())
            try save()
        } catch .errorResponse(_, let error) {
            print(error.message)
        } catch {}
    #else
        do {
            try await transport.response(in: server, with: GetShirt())
            try save()
        } catch let error as GetShirt.TaskError {
            print(error)
        } catch {}
    #endif
}

// expect: value of type 'EmptyResponse' has no member 'message'

import Endpoints

struct ShopError: Decodable { let message: String }

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    #if !WRONG
        typealias ErrorResponse = ShopError
    #endif
}

func load(from server: ServerEnvironment, by transport: some Transport) async {
    do {
        try await transport.response(in: server, with: GetShirt())
    } catch .errorResponse(_, let error) {
        print(error.message)
    } catch {}
}

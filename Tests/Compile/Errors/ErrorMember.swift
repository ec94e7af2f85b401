// expect: 'GetShirt.ErrorResponse' (aka 'ShopError') has no member 'mesage'

import Endpoints

struct ShopError: Decodable { let message: String }

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}

func load(from server: ServerEnvironment, by transport: some Transport) async {
    do {
        try await transport.response(in: server, with: GetShirt())
    } catch .errorResponse(_, let error) {
        #if WRONG
            print(error.mesage)
        #else
            print(error.message)
        #endif
    } catch {}
}

// expect: type 'any Error' has no member 'errorResponse'

import Endpoints

struct ShopError: Decodable { let message: String }
struct HatError: Decodable { let reason: String }

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}

struct GetHat: RequestType {
    static let endpoint = Endpoint<GetHat>(method: .get, path: "hat")
    typealias Response = Void
    typealias ErrorResponse = HatError
}

func load(from server: ServerEnvironment, by transport: some Transport) async {
    #if WRONG
        do {
            try await transport.response(in: server, with: GetShirt())
            try await transport.response(in: server, with: GetHat())
        } catch .errorResponse(let httpResponse, let error) {
            print(httpResponse.statusCode, error)
        } catch {}
    #else
        do {
            try await transport.response(in: server, with: GetShirt())
            try await transport.response(in: server, with: GetHat())
        } catch let error as GetShirt.TaskError {
            print(error)
        } catch {}
    #endif
}

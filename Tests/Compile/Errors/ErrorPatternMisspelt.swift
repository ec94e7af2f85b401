// expect: type '_ErrorCodeProtocol' has no member 'serverError'

import Endpoints
import Foundation

struct ShopError: Decodable { let message: String }

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}

func load(from server: ServerEnvironment, by transport: some Transport) async {
    #if WRONG
        do {
            try await transport.response(in: server, with: GetShirt())
        } catch .serverError(let error) {
            print(error)
        } catch {
            print(error)
        }
    #else
        do {
            try await transport.response(in: server, with: GetShirt())
        } catch .errorResponse(_, let error) {
            print(error)
        } catch {
            print(error)
        }
    #endif
}

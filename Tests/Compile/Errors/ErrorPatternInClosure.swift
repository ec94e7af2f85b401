// expect: type '_ErrorCodeProtocol' has no member 'errorResponse'

import Endpoints
import Foundation

struct ShopError: Decodable { let message: String }

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}

func load(from server: ServerEnvironment, by transport: any Transport) {
    Task {
        #if WRONG
            do {
                try await transport.response(in: server, with: GetShirt())
            } catch .errorResponse(let httpResponse, let error) {
                print(httpResponse.statusCode, error.message)
            }
        #else
            do throws(GetShirt.TaskError) {
                try await transport.response(in: server, with: GetShirt())
            } catch .errorResponse(let httpResponse, let error) {
                print(httpResponse.statusCode, error.message)
            } catch {}
        #endif
    }
}

// expect: value of type 'any Error' has no member 'httpResponse'

import Endpoints

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
}

func load(from server: ServerEnvironment, by transport: any Transport) {
    Task {
        #if WRONG
            do {
                try await transport.response(in: server, with: GetShirt())
            } catch {
                print(error.httpResponse?.statusCode ?? 0)
            }
        #else
            do throws(GetShirt.TaskError) {
                try await transport.response(in: server, with: GetShirt())
            } catch {
                print(error.httpResponse?.statusCode ?? 0)
            }
        #endif
    }
}

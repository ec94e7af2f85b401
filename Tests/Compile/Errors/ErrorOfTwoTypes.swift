// expect: value of type 'any Error' has no member 'failureReason'

import Endpoints

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
}

func save() throws {}

func load(from server: ServerEnvironment, by transport: some Transport) async {
    #if WRONG
        do {
            try await transport.response(in: server, with: GetShirt())
            try save()
        } catch {
            print(error.failureReason as Any)
        }
    #else
        do throws(GetShirt.TaskError) {
            try await transport.response(in: server, with: GetShirt())
        } catch {
            print(error.failureReason as Any)
        }
    #endif
}

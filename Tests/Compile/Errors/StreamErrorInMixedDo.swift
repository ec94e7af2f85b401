// expect: type '_ErrorCodeProtocol' has no member 'transportError'

import Endpoints
import EndpointsStreams
import Foundation

struct GetLog: RequestType {
    static let endpoint = Endpoint<GetLog>(method: .get, path: "log")
    typealias Response = Lines
}

func load(from server: ServerEnvironment, by transport: some Transport) async {
    #if WRONG
        do {
            for try await line in try await transport.response(in: server, with: GetLog()) {
                print(line)
            }
        } catch .transportError(let error) {
            print(error)
        } catch {}
    #else
        do throws(GetLog.TaskError) {
            let lines = try await transport.response(in: server, with: GetLog())
            do throws(StreamError) {
                for try await line in lines { print(line) }
            } catch .transportError(let error) {
                print(error)
            } catch {}
        } catch {}
    #endif
}

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads a request and prints what is sent and what comes back.
struct Show {
    let environment: ServerEnvironment

    func callAsFunction<Request: RequestType>(
        _ caption: String, _ request: Request, cancelling: Bool = false,
        describe: @Sendable (Request.Response) -> String
    ) async where Request.Environment == ServerEnvironment {
        print("\(Request.self) – \(caption)")
        let transport = Printing { if cancelling { $0.cancel() } }
        do throws(Request.TaskError) {
            let response = try await transport.response(in: environment, with: request)
            print("  value   \(describe(response))\n")
        } catch .errorResponse(_, let error) {
            print("  error   the server's own: \(error)\n")
        } catch .endpointError(let error) {
            print("  sent    nothing\n  error   \(error)\n")
        } catch {
            print("  error   \(error)\n")
        }
    }
}

/// A transport that prints what the shared session sends and receives.
///
/// A transport of your own needs only the function `send`. This one calls `whenSent` with the task
/// that sends the request, just before it is sent, so that the demo can cancel the task.
struct Printing: Transport {
    let whenSent: @Sendable (UnsafeCurrentTask) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let urlRequest = request.urlRequest
        print("  sent    \(urlRequest.httpMethod ?? "GET") \(urlRequest.url?.absoluteString ?? "")")
        if let body = urlRequest.httpBody {
            print("  body    \(String(decoding: body, as: UTF8.self))")
        }
        withUnsafeCurrentTask { if let task = $0 { whenSent(task) } }
        let response = try await URLSession.shared.send(request)
        print("  status  \(response.httpResponse.statusCode)")
        return response
    }
}

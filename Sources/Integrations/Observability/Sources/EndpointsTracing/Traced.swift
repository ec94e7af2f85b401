import Endpoints
import Foundation
import Tracing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport with a client span for each request, by OpenTelemetry's HTTP conventions, whose
    /// context the request takes along: `traceparent`, for example.
    ///
    ///     let transport = URLSession.shared.traced().retrying()
    ///
    /// The span ends when the head of the response has arrived; where the body is not a stream, so
    /// has the body.
    /// - Parameter secretNames: Changes to `SecretNames.usual`, whose values the span's URL hides.
    public func traced(masking secretNames: SecretNames = []) -> some Transport {
        Traced(base: self, secretNames: .usual.union(secretNames))
    }
}

private struct Traced<Base: Transport>: Transport {
    let base: Base
    let secretNames: SecretNames

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let method = request.urlRequest.httpMethod ?? "GET"
        return try await withSpan(method, ofKind: .client) { span in
            span.attributes["http.request.method"] = method
            span.attributes["url.full"] = secretNames.union(request.policy.secretNames)
                .masked(request.urlRequest.url)
            span.attributes["server.address"] = request.urlRequest.url?.host
            span.attributes["server.port"] = request.urlRequest.url?.port
            if request.attempt > 1 {
                span.attributes["http.request.resend_count"] = request.attempt - 1
            }
            var request = request
            InstrumentationSystem.instrument
                .inject(span.context, into: &request.urlRequest, using: HeaderInjector())
            do {
                let response = try await base.send(request)
                let status = response.httpResponse.statusCode
                span.attributes["http.response.status_code"] = status
                if status >= 400 {
                    span.attributes["error.type"] = "\(status)"
                    span.setStatus(SpanStatus(code: .error))
                }
                return response
            } catch {
                span.attributes["error.type"] = (error as NSError).domain
                throw error
            }
        }
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into urlRequest: inout URLRequest) {
        urlRequest.setValue(value, forHTTPHeaderField: key)
    }
}

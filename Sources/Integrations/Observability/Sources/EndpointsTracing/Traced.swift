import Endpoints
import Foundation
import HTTPConventions
import Tracing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport with a client span for each request, by OpenTelemetry's HTTP conventions, whose
    /// context the request takes along: `traceparent`, for example.
    ///
    ///     let transport = URLSession.shared.traced().retrying()
    ///     // the span `GET /v1/users/{id}`, and another for each later attempt
    ///
    /// In `.retrying().traced()`, one span has all attempts. Written twice, as in
    /// `.traced().retrying().traced()`, it makes a span within another, which the conventions
    /// advise against. Redirects that a session follows are in the span of the first request.
    ///
    /// The span ends when the head of the response has arrived, and for a response that isn't a
    /// stream, the body. A load that is cancelled isn't an error. An error is in `error.type`,
    /// without its text.
    /// - Parameter secretNames: Changes to `SecretNames.usual`, whose values the span's URL hides.
    public func traced(masking secretNames: SecretNames = []) -> some Transport {
        Traced(base: self, secretNames: secretNames.union(signatures))
    }
}

/// A name that the conventions have for a secret, and `SecretNames.usual` hasn't.
private let signatures: SecretNames = ["AWSAccessKeyId"]

private struct Traced<Base: Transport>: Transport {
    let base: Base
    let secretNames: SecretNames

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let facts = ClientRequest(request)
        // What a closure throws is recorded with its text, which may show a URL with its secrets.
        let result = await withSpan(facts.name, ofKind: .client) { span in
            describe(request, facts, in: span)
            var request = request
            InstrumentationSystem.instrument
                .inject(span.context, into: &request.urlRequest, using: HeaderInjector())
            let result: Result<TransportResponse, any Error>
            do { result = .success(try await base.send(request)) } catch {
                result = .failure(error)
            }
            describe(result, in: span)
            return result
        }
        return try result.get()
    }

    private func describe(_ request: TransportRequest, _ facts: ClientRequest, in span: any Span) {
        guard span.isRecording else { return }
        span.updateAttributes { attributes in
            attributes[HTTPAttribute.method] = facts.method
            attributes[HTTPAttribute.originalMethod] = facts.originalMethod
            attributes[HTTPAttribute.url] = request.maskedURL(masking: secretNames)
            attributes[HTTPAttribute.template] = facts.template
            attributes[HTTPAttribute.address] = facts.address
            attributes[HTTPAttribute.port] = facts.port
            attributes[HTTPAttribute.requestBodySize] = facts.bodySize
            if request.attempt > 1 { attributes[HTTPAttribute.resendCount] = request.attempt - 1 }
        }
    }

    private func describe(_ result: Result<TransportResponse, any Error>, in span: any Span) {
        guard span.isRecording else { return }
        let errorType: String?
        switch result {
        case .success(let response):
            let head = response.httpResponse
            errorType = head.errorType
            span.attributes[HTTPAttribute.status] = head.statusCode
            span.attributes[HTTPAttribute.responseBodySize] =
                response.body.count.flatMap { head.transferredBytes(read: $0) }
        case .failure(let error): errorType = error.httpErrorType
        }
        guard let errorType else { return }
        span.attributes[HTTPAttribute.errorType] = errorType
        span.setStatus(SpanStatus(code: .error))
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into urlRequest: inout URLRequest) {
        urlRequest.setValue(value, forHTTPHeaderField: key)
    }
}

import Endpoints
import EndpointsMiddleware
import Logging

extension Transport {
    /// A transport that logs each request, and its response or error, by swift-log.
    ///
    ///     let transport = URLSession.shared.logged(to: Logger(label: "api"))
    ///     // info api: GetUser GET https://api.example.com/users/42 -> 200, 512 bytes, 0.081 s
    ///
    /// A request is logged at the level `debug`, a response at `info`, and an error response or an
    /// error at `error`. The metadata has OpenTelemetry's names. No secret is logged.
    /// - Parameters:
    ///   - logger: Where the lines go.
    ///   - secretNames: Changes to `SecretNames.usual`.
    public func logged(
        to logger: Logger, masking secretNames: SecretNames = []
    ) -> some Transport {
        logged(masking: secretNames) { event in
            logger.log(level: event.level, "\(event)", metadata: event.metadata)
        }
    }
}

extension EndpointsMiddleware.LogEvent {
    fileprivate var level: Logger.Level {
        switch kind {
        case .request: .debug
        case .response(let status, _, _): status < 400 ? .info : .error
        case .failure: .error
        }
    }

    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request": "\(requestType)", "http.request.method": "\(method)", "url.full": "\(url)",
        ]
        if attempt > 1 { metadata["http.request.resend_count"] = "\(attempt - 1)" }
        if case .response(let status, let bytes, _) = kind {
            metadata["http.response.status_code"] = "\(status)"
            metadata["http.response.body.size"] = "\(bytes)"
        }
        return metadata
    }
}

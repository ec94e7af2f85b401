import Endpoints
import EndpointsMiddleware
import HTTPConventions
import Logging

extension Transport {
    /// A transport that logs each request, and its response or error, by swift-log.
    ///
    ///     let transport = URLSession.shared.logged(to: Logger(label: "api"))
    ///     // info api: GetUser GET https://api.example.com/users/42 -> 200, 512 bytes, 0.081 s
    ///
    /// A request is logged at the level `debug`, a response at `info`, and an error response or an
    /// error at `error`. The metadata has OpenTelemetry's names, such as
    /// `http.request.header.accept`. All lines of a load have its id as `load`, those of later
    /// attempts included. No secret is logged.
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
            "load": "\(loadID)", "request": "\(requestType)", HTTPAttribute.method: "\(method)",
            HTTPAttribute.url: "\(url)",
        ]
        metadata[HTTPAttribute.template] = pathTemplate.map { "\($0)" }
        metadata.add(requestHeaders, as: "http.request.header")
        metadata.add(responseHeaders, as: "http.response.header")
        if attempt > 1 { metadata[HTTPAttribute.resendCount] = "\(attempt - 1)" }
        switch kind {
        case .request:
            metadata[HTTPAttribute.requestBodySize] = uploadLength.map { "\($0)" }
        case .response(let status, let bytes, _):
            metadata[HTTPAttribute.status] = "\(status)"
            metadata[HTTPAttribute.responseBodySize] = "\(bytes)"
            if status >= 400 { metadata[HTTPAttribute.errorType] = "\(status)" }
        case .failure(let error):
            metadata[HTTPAttribute.errorType] = error.httpErrorType.map { "\($0)" }
        }
        return metadata
    }
}

extension Logger.Metadata {
    fileprivate mutating func add(_ headers: [String: String], as prefix: String) {
        for (name, value) in headers { self["\(prefix).\(name.lowercased())"] = ["\(value)"] }
    }
}

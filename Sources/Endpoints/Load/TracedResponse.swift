import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The head (status and headers) of a response, and a trace of what its load sent and received.
///
/// The trace is kept here because the cases of ``EndpointTaskError`` have no value for it. The
/// class is `@unchecked` because its superclass is; the trace is a constant.
final class TracedResponse: HTTPURLResponse, @unchecked Sendable {
    let trace: LoadTrace?

    init?(_ head: HTTPURLResponse, _ trace: LoadTrace) {
        guard let url = head.url else { return nil }
        self.trace = trace
        let fields = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        super.init(
            url: url, statusCode: head.statusCode, httpVersion: "HTTP/1.1",
            headerFields: Dictionary(fields) { $1 })
    }

    required init?(coder: NSCoder) {
        trace = nil
        super.init(coder: coder)
    }
}

extension HTTPURLResponse {
    /// Whether the response of an `.unexpectedResponse` is to a later request of a stream, sent
    /// after the stream's connection had ended.
    var isToStreamRequestedAgain: Bool { (self as? TracedResponse)?.trace?.isOfStream == true }
}

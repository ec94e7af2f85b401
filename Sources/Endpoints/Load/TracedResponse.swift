import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The head (status and headers) of the response that a load failed with, and the load's trace.
///
/// The head holds the trace because the cases of ``EndpointTaskError`` have no room for it. The
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

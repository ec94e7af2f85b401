import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ArrivingResponse {
    /// Sends a changed copy of the first request, with the same transport.
    ///
    ///     let rest = try await arriving.requestAgain { request in
    ///         request.setValue("bytes=500-", forHTTPHeaderField: "Range")
    ///     }
    ///
    /// The policy's ``LoadPolicy/timeLimit`` counts from the first request. With a `Range` and
    /// without an `Accept-Encoding`, the request has `Accept-Encoding: identity`.
    /// - Returns: The response, whatever its status.
    /// - Throws: A ``StreamError``, such as `.endpointError` for a response that was made of data
    ///   in memory.
    public func requestAgain(
        _ change: (inout URLRequest) -> Void
    ) async throws(StreamError) -> ArrivingResponse {
        try await requestAgain(until: deadline(.system), change)
    }

    /// The same, for a stream that counts its time by a clock.
    func requestAgain(
        until deadline: Deadline, _ change: (inout URLRequest) -> Void
    ) async throws(StreamError) -> ArrivingResponse {
        guard let source else { throw .endpointError(noSource) }
        var request = source.request
        change(&request.urlRequest)
        if request.urlRequest.value(forHTTPHeaderField: "Range") != nil,
            request.urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == nil
        {
            request.urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        do {
            let response = try await source.transport.send(try deadline.limited(request))
            return ArrivingResponse(response, to: request.urlRequest, like: self)
        } catch {
            throw self.error(loading: error)
        }
    }

    /// Whether the request can be sent again without harm: it is a GET, and the response was not
    /// made of data in memory.
    public var canAskAgain: Bool { source?.request.urlRequest.httpMethod == "GET" }

    /// Whether a later response may have the rest of this one's bytes.
    var canGoOn: Bool { canAskAgain && source?.request.needsWholeBody == false }

    /// The most bytes of a body that is read as a whole.
    var wholeLimit: Int { (source?.request.policy ?? .default).wholeBodyLimit }

    /// The most bytes that one element of the stream, such as a line, may have.
    var partLimit: Int {
        min(wholeLimit, LoadPolicy.default.wholeBodyLimit)
    }

    /// Whether a 206, which has only a part of the content, may be saved as a file: the request has
    /// a `Range` (RFC 9110, section 14.2), or the response was made of data in memory.
    var mayBePartial: Bool {
        urlRequest.map { $0.value(forHTTPHeaderField: "Range") != nil } ?? true
    }
}

extension ArrivingResponse {
    /// When the policy's time limit is over: what it leaves now, counted by a clock from now on.
    func deadline(_ clock: TransportClock) -> Deadline {
        let seconds = source.flatMap { source in
            source.request.policy.timeLimit.map { $0 - source.request.seconds }
        }
        return Deadline(after: seconds, at: source?.request.urlRequest.url, clock)
    }

    private var noSource: EndpointError {
        EndpointError(
            requestType: "\(requestType)", field: .response,
            reason: """
                was made of data in memory, so there is no request to send again; check \
                `canAskAgain` first
                """)
    }

    /// Waits. Throws if the task is cancelled, or at once if the time limit would end during the
    /// wait.
    func wait(_ seconds: TimeInterval, until deadline: Deadline) async throws(StreamError) {
        if let left = deadline.secondsLeft, left <= seconds {
            throw error(loading: deadline.timedOut)
        }
        do { try await deadline.sleep(seconds) } catch { throw self.error(loading: error) }
    }

    func error(loading error: any Error) -> StreamError {
        traced(StreamError(loading: error, requestType))
    }

    /// The error that a stream throws if the body can't be used: an element is too long or can't be
    /// decoded, or a body to be saved as a file is only a part that the request didn't ask for.
    func error(parsing error: any Error) -> StreamError {
        let data = (error as? UnreadableElement)?.data ?? Data()
        return traced(
            .responseParseError(
                httpResponse: httpResponse, data: data,
                error: EndpointParseError(requestType, cause: error)), data)
    }

    func traced(_ error: StreamError, _ data: Data = Data()) -> StreamError {
        guard let sent = source?.request else { return error }
        return error.traced(by: sent, data, of: httpResponse)
    }

    /// The error of a later response that can't continue the stream, with the beginning of its
    /// body.
    func error(unexpected response: ArrivingResponse) async -> StreamError {
        let head = response.httpResponse
        let error = StreamError.unexpectedResponse(httpResponse: head)
        guard let sent = source?.request else { return error }
        let body = await response.body.beginning()
        return error.traced(by: sent, body, of: head, as: "the body")
    }
}

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a load sends and when it began, for the `debugDescription` of the load's error, and for the
/// time that the policy's `timeLimit` leaves to a stream.
package struct SentRequest: Sendable {
    package let urlRequest: URLRequest
    package let policy: LoadPolicy
    private let start = DispatchTime.now()

    package init(_ urlRequest: URLRequest, under policy: LoadPolicy) {
        self.urlRequest = urlRequest
        self.policy = policy
    }

    package init(_ request: TransportRequest) {
        self.init(request.urlRequest, under: request.policy)
    }

    /// The seconds since the load began. For an `endpointTask`, that is when the task was made,
    /// even if the caller resumes it later.
    package var seconds: TimeInterval {
        TimeInterval(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    }

    /// A trace of the load: what was sent, what has arrived, and the time until now.
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - head: The response that `data` is of.
    ///   - status: The status of the response, if one arrived. An error that holds the response
    ///     doesn't need it.
    package func trace(
        _ data: Data = Data(), of head: HTTPURLResponse? = nil, status: Int? = nil,
        isOfStream: Bool = false
    ) -> LoadTrace {
        LoadTrace(
            method: urlRequest.httpMethod ?? "GET", url: SecretNames.usual.masked(urlRequest.url),
            status: status, seconds: seconds,
            body: head?.phrase(
                of: data, hiding: data.isEmpty ? [] : secrets,
                as: isOfStream ? "the unreadable part" : "the body"),
            isOfStream: isOfStream)
    }

    /// The secrets in the request, which a server may repeat in its response.
    private var secrets: [String] {
        var secrets = SecretNames.usual.values(
            in: urlRequest.url, inBeginningOf: urlRequest.httpBody ?? Data(),
            urlRequest.value(forHTTPHeaderField: "Content-Type") ?? "")
        for (name, value) in urlRequest.allHTTPHeaderFields ?? [:]
        where policy.hides(name, .usual) {
            secrets.append(value)
            // Also each word, such as the token after `Bearer`.
            secrets += value.split { " ;,=".contains($0) }.map(String.init)
        }
        // A secret of at most 3 characters may be a part of ordinary words, so it is hidden only
        // after its name, as in `token=abc`.
        return secrets.filter { $0.count > 3 }
    }
}

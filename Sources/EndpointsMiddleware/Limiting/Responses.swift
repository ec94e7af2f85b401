import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension EndpointClient {
    /// Loads several requests, some of them at the same time, and returns their results in the
    /// order of the requests.
    ///
    ///     let results = await api.responses(to: ids.map { GetUser(id: $0) }, atMost: 5)
    ///     for result in results {
    ///         switch result {
    ///         case .success(let user): print(user.name)
    ///         case .failure(let error): print(error)   // a GetUser.TaskError
    ///         }
    ///     }
    ///
    /// An error of one request doesn't end the others; use `try results.map { try $0.get() }` for
    /// the first one. Cancelling the task ends all loads: the results of those that haven't ended
    /// are `.cancelled`. To count the requests of other calls too, use
    /// ``Transport/limited(perOrigin:clock:)``.
    ///
    /// With ``Transport/authorized(by:header:clock:)``, all requests are of the account for which
    /// the call began: if another one signs in meanwhile, those that haven't begun fail with a
    /// `.transportError` that holds a ``SignInError``.
    ///
    /// Streams are refused, with an ``EndpointError`` in each result: only their heads would be
    /// limited. Load and read each in a task of its own.
    /// - Parameters:
    ///   - requests: The requests to load, all of one type.
    ///   - limit: The most requests in flight. With less than 1, each result is an
    ///     ``EndpointError``.
    public func responses<Request: RequestType & Sendable>(
        to requests: some Sequence<Request>, atMost limit: Int
    ) async -> [Result<Request.Response, Request.TaskError>]
    where Request.Environment == Environment, Request.Response: Sendable {
        typealias Outcome = Result<Request.Response, Request.TaskError>
        let requests = Array(requests)
        if let refusal = Self.refusal(of: Request.self, atMost: limit) {
            return requests.map { _ in .failure(.endpointError(refusal)) }
        }
        // All are of the account for which the call began, those too that wait for others.
        let first = requests.first.flatMap {
            try? TransportRequest(of: $0, in: environment)
        }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            var results = [Outcome?](repeating: nil, count: requests.count)
            for (index, request) in requests.enumerated() {
                if index >= limit, let (index, result) = await group.next() {
                    results[index] = result
                }
                group.addTask {
                    do throws(Request.TaskError) {
                        // Not each transport looks whether the task is cancelled.
                        guard !Task.isCancelled else { throw .cancelled(URLError(.cancelled)) }
                        let message =
                            if index == 0, let first { first } else {
                                try message(of: request, continuing: first)
                            }
                        let response = try await transport.response(to: message, as: Request.self)
                        return (index, .success(response))
                    } catch { return (index, .failure(error)) }
                }
            }
            for await (index, result) in group { results[index] = result }
            return results.compactMap { $0 }
        }
    }

    private func message<Request: RequestType>(
        of request: Request, continuing first: TransportRequest?
    ) throws(Request.TaskError) -> TransportRequest where Request.Environment == Environment {
        do throws(EndpointError) {
            let message = try TransportRequest(of: request, in: environment)
            return first.map(message.continuing) ?? message
        } catch { throw .endpointError(error) }
    }

    private static func refusal(
        of type: any RequestType.Type, atMost limit: Int
    ) -> EndpointError? {
        let setting = "responses(to:atMost: \(limit))"
        if let wrong = WrongSetting(setting, in: .call, unless: limit >= 1, "write 1 or more") {
            return wrong.error(type)
        }
        guard type.streamsResponse else { return nil }
        return EndpointError(
            requestType: "\(type)", field: .response,
            reason: """
                is a stream, which would keep its slot while others wait; load and read each stream \
                in a task of its own
                """)
    }
}

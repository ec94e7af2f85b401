import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that counts what is sent and how it ends, and drops some responses.
    func observed(by record: Record) -> some Transport {
        Observed(base: self, record: record)
    }
}

/// Counts each attempt, as what retries and signs calls it.
private struct Observed<Base: Transport>: Transport {
    let base: Base
    let record: Record

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        record.add(.attempts)
        do {
            let response = try await base.send(request)
            if [401, 429].contains(response.httpResponse.statusCode) {
                return try await observe(response)
            }
            if request.requestType == SendMessage.self, record.dropsResponse() {
                throw URLError(.networkConnectionLost)
            }
            return response
        } catch let error as URLError where error.code != .cancelled {
            record.add(error.code == .cannotConnectToHost ? .refused : .lost)
            throw error
        }
    }

    /// Counts an error response by its content, which is handed on.
    private func observe(_ response: TransportResponse) async throws -> TransportResponse {
        let data = try await response.body.data(upTo: 1 << 16)
        let error = try? JSONDecoder.matrix.decode(MatrixError.self, from: data)
        if response.httpResponse.statusCode == 401 {
            let isExpired = error?.errcode == "M_UNKNOWN_TOKEN" && error?.softLogout == true
            record.add(isExpired ? .expired : .replaced)
        } else {
            let header = response.httpResponse.value(forHTTPHeaderField: "Retry-After")
            record.add(error?.retryAfterMs != nil && header != nil ? .limited : .limitedSilently)
        }
        return TransportResponse(data, response.httpResponse)
    }
}

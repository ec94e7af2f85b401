import Endpoints

/// A transport that asks another one for each response in chunks, whatever its type.
///
/// All that a load promises is then tested for streams by the tests for whole responses.
struct InChunks<Base: Transport>: Transport {
    let base: Base

    init(_ base: Base) {
        self.base = base
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.streamsResponse = true
        return try await base.send(request)
    }
}

import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server with one file, which responds to ranges as RFC 9110 says. Each response can be changed.
final class FileServer: Transport {
    struct Response {
        var status: Int
        var fields: [String: String]
        var body: Data
        var address = "https://api.example.com/v1/model"
        /// How many bytes arrive before the connection is lost for good.
        var cut: Int?
        /// Whether nothing arrives any more where the response is cut.
        var stalls = false
    }

    struct State {
        var content = FileServer.content(10_000)
        var tag: String? = "\"1\""
        var fields: [String: String] = [:]
        var asked: [String] = []
        var bytesSent = 0
        var bytesRead = 0
        /// Changes the response to the request of a number, which is counted from 1.
        var change: @Sendable (_ number: Int, inout Response) -> Void = { _, _ in }
    }

    let state = Locked(State())
    /// What is thrown where a response is cut.
    let loss: any Error

    init(loss: any Error = CancellationError()) { self.loss = loss }

    static func content(_ count: Int, seed: Int = 1) -> Data {
        Data((0..<count).map { UInt8(($0 * 31 + $0 / 251 * seed) % 256) })
    }

    /// The ranges of the requests until now; `-` for a request without.
    var asked: [String] { state.withLock(\.asked) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = state.withLock { state in
            let range = request.urlRequest.value(forHTTPHeaderField: "Range")
            state.asked.append(range.map { String($0.dropFirst("bytes=".count)) } ?? "-")
            var response = Self.response(to: request.urlRequest, state)
            state.change(state.asked.count, &response)
            state.bytesSent += min(response.body.count, response.cut ?? .max)
            return response
        }
        let head = try HTTPURLResponse.stub(
            response.status, response.fields, at: response.address)
        let position = Locked(0)
        let (data, end, loss) = (Data(response.body), response.cut ?? response.body.count, loss)
        let (isCut, stalls, state) = (response.cut != nil, response.stalls, state)
        let body = ResponseBody {
            let size = data.count > 100_000 ? 50_000 : 1000
            let place = position.withLock { position in
                defer { position = min(end, position + size) }
                return position..<min(end, position + size)
            }
            if !place.isEmpty {
                state.withLock { $0.bytesRead += place.count }
                return Data(data[place])
            }
            if stalls { try await Task.sleep(nanoseconds: 1_000_000_000_000) }
            if isCut { throw loss }
            return nil
        }
        return TransportResponse(body: body, head)
    }

    private static func response(to request: URLRequest, _ state: State) -> Response {
        var fields = state.fields
        fields["ETag"] = state.tag
        let length = state.content.count
        let condition = request.value(forHTTPHeaderField: "If-Range")
        let validator = state.tag ?? fields["Last-Modified"]
        guard let range = request.value(forHTTPHeaderField: "Range"),
            condition == nil || condition == validator, condition?.hasPrefix("W/") != true
        else {
            fields["Content-Length"] = "\(length)"
            return Response(status: 200, fields: fields, body: state.content)
        }
        let ends = range.dropFirst("bytes=".count).split(
            separator: "-", omittingEmptySubsequences: false)
        let first = Int(ends[0]) ?? 0
        let last = min(Int(ends[1]) ?? length - 1, length - 1)
        guard first <= last else {
            fields["Content-Range"] = "bytes */\(length)"
            return Response(status: 416, fields: fields, body: Data())
        }
        fields["Content-Range"] = "bytes \(first)-\(last)/\(length)"
        fields["Content-Length"] = "\(last - first + 1)"
        return Response(status: 206, fields: fields, body: state.content[first...last])
    }
}

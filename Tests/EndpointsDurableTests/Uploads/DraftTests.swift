import Endpoints
import EndpointsDurable
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of “Resumable Uploads for HTTP”, interop version 6, in memory.
final class DraftServer: Transport {
    struct State: Sendable {
        var data = Data()
        var isComplete = false
        var seen: [String] = []
        /// What goes wrong with the requests, by their numbers.
        var cuts: [Int: Int] = [:]
        var losses: Set<Int> = []
        var finalStatus = 201
        /// What comes after the values of the response's fields.
        var parameters = ""
    }

    let state = Locked(State())

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        func value(_ name: String) -> String? {
            request.urlRequest.value(forHTTPHeaderField: name)
        }
        guard let url = request.urlRequest.url, let method = request.urlRequest.httpMethod,
            value("Upload-Draft-Interop-Version") == "6"
        else { throw URLError(.badURL) }
        var body = Data()
        if let upload = request.upload {
            for try await chunk in try upload.chunks() { body += chunk }
        }
        let (offset, isLast) = (value("Upload-Offset"), value("Upload-Complete") == "?1")
        let text = "\(method) \(url.path) \(offset ?? "-")+\(body.count)\(isLast ? " end" : "")"
        let (status, headers, isLost) = try state.withLock {
            state -> (Int, [String: String], Bool) in
            let number = state.seen.count
            state.seen.append(text)
            var headers = ["Upload-Draft-Interop-Version": "6"]
            switch method {
            case "HEAD": break
            case "DELETE": return (204, headers, false)
            case "PATCH":
                guard value("Content-Type") == "application/partial-upload",
                    offset == "\(state.data.count)", !state.isComplete
                else { return (409, headers, false) }
                state.data += body.prefix(state.cuts[number] ?? body.count)
                if state.cuts[number] != nil { throw URLError(.networkConnectionLost) }
                if isLast { state.isComplete = true }
            default:
                guard value("Upload-Complete") == "?0", value("Content-Type") == "video/mp4",
                    value("Upload-Length") == "3500", body.isEmpty
                else { return (400, headers, false) }
                headers["Location"] = "/resumable/1"
            }
            headers["Upload-Offset"] = "\(state.data.count)\(state.parameters)"
            headers["Upload-Complete"] = (state.isComplete ? "?1" : "?0") + state.parameters
            let status = method == "HEAD" ? 204 : isLast ? state.finalStatus : 201
            if isLast { headers["Upload-Offset"] = nil }
            return (status, headers, state.losses.contains(number))
        }
        if isLost { throw URLError(.networkConnectionLost) }
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        else { throw URLError(.badServerResponse) }
        return TransportResponse(Data(isLast ? "{\"id\":7}".utf8 : "".utf8), head)
    }
}

@Suite struct DraftTests {
    struct AddFilm: FlatRequest, ResumableRequest {
        let body: File
        static let endpoint = Endpoint<Self>(method: .put, path: "films")
        static let uploading = Resumable.ietf(chunkSize: 2000)
        struct Response: Decodable, Sendable { let id: Int }
    }

    let server = DraftServer()
    let waits = Waits()

    func upload(_ place: Place) -> ResumableUpload<AddFilm> {
        EndpointClient(server, in: .uploads).upload(
            AddFilm(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
    }

    @Test func `The declared request creates the upload, and the last piece has its response`()
        async throws
    {
        let place = try Place()
        #expect(try await upload(place).response().id == 7)
        #expect(server.state.withLock(\.data) == Place.bytes)
        #expect(
            server.state.withLock(\.seen) == [
                "PUT /films -+0", "PATCH /resumable/1 0+2000", "PATCH /resumable/1 2000+1500 end",
            ])
        #expect(place.stateFiles == [])
    }

    @Test func `After a cut the upload goes on where the server says`() async throws {
        let place = try Place()
        server.state.withLock { $0.cuts = [1: 700, 3: 2000, 5: 0] }
        #expect(try await upload(place).response().id == 7)
        #expect(server.state.withLock(\.data) == Place.bytes)
        #expect(
            server.state.withLock(\.seen) == [
                "PUT /films -+0", "PATCH /resumable/1 0+2000", "HEAD /resumable/1 -+0",
                "PATCH /resumable/1 700+2000", "HEAD /resumable/1 -+0",
                "PATCH /resumable/1 2700+800 end", "HEAD /resumable/1 -+0",
                "PATCH /resumable/1 2700+800 end",
            ])
    }

    @Test func `Parameters of the server's fields are ignored`() async throws {
        let place = try Place()
        server.state.withLock { ($0.cuts, $0.parameters) = ([2: 1500], ";a=\"1, ?0\"; b") }
        #expect(try await upload(place).response().id == 7)
        #expect(
            server.state.withLock(\.seen).suffix(2) == [
                "HEAD /resumable/1 -+0", "PATCH /resumable/1 3500+0 end",
            ])
    }

    @Test func `All bytes without the end are ended by an empty piece`() async throws {
        let place = try Place()
        server.state.withLock { $0.cuts = [2: 1500] }
        #expect(try await upload(place).response().id == 7)
        #expect(server.state.withLock(\.seen).last == "PATCH /resumable/1 3500+0 end")
    }

    @Test func `If the last response is lost, that is an error which says that the server has all`()
        async throws
    {
        let place = try Place()
        server.state.withLock { $0.losses = [2] }
        let error = await #expect(throws: AddFilm.TaskError.self) {
            try await upload(place).response()
        }
        guard case .transportError(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((cause.cause as? UploadError)?.kind == .responseLost)
        #expect(error?.isTransient == false)
        #expect(server.state.withLock(\.data) == Place.bytes)
        #expect(place.stateFiles == [])
    }

    @Test func `An error in place of the last response is the request's`() async throws {
        let place = try Place()
        server.state.withLock { $0.finalStatus = 422 }
        let error = await #expect(throws: AddFilm.TaskError.self) {
            try await upload(place).response()
        }
        #expect(error?.httpResponse?.statusCode == 422)
    }
}

import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Event streams from a server", .needsServers, .timeLimit(.minutes(5)))
struct EventStreamLoadTests {
    @Test("Events arrive whole and in order over connections that are lost")
    func reconnection() async throws {
        let request = GetEvents<Numbered>(n: 100_000, settings: ["cuts": "3", "how": "both"])
        var last = 0
        for try await event in try await Server.faults.response(to: request) {
            guard event.id == last + 1 else {
                Issue.record("event \(event.id) comes after \(last)")
                break
            }
            last = event.id
        }
        #expect(last == 100_000)
    }

    @Test("Events keep their type, id and text as ServerSentEvent")
    func events() async throws {
        let events = try await Server.faults.response(to: GetEvents<ServerSentEvent>(n: 2))
            .collected()
        #expect(
            events == [
                ServerSentEvent(data: #"{"id": 1}"#, id: "1", retry: 0.01),
                ServerSentEvent(data: #"{"id": 2}"#, id: "2", retry: 0.01),
            ])
    }

    @Test("A stream ends at the event that its reader names, which need not be readable")
    func end() async throws {
        let request = GetEvents<Numbered>(n: 3, settings: ["last": "[DONE]"])
        let stream = try await Server.faults.response(to: request).ending(at: "[DONE]")
        #expect(try await stream.collected().map(\.id) == [1, 2, 3])
    }

    @Test(
        "A stream ends with an error if the next connection has another status or type",
        arguments: [201, 204, 205, 210, 299, 404, 410, 503, 200])
    func closed(_ status: Int) async throws {
        let settings = [
            "cuts": "1", "then": "\(status)", "kind": status == 200 ? "text/x-bogus" : "",
        ]
        let request = GetEvents<Numbered>(
            n: 10, settings: settings.filter { !$0.value.isEmpty })
        var ids: [Int] = []
        do {
            for try await event in try await Server.faults.response(to: request) {
                ids.append(event.id)
            }
            #expect(status == 204, "the stream ended without an error")
        } catch StreamError.unexpectedResponse(let httpResponse) {
            #expect(httpResponse.statusCode == status)
        }
        #expect(ids == [1, 2, 3, 4, 5, 6])
        let asked = CancellationTests.Asked(key: request.key)
        #expect(try await Server.faults.response(to: asked).asked == 2)
    }

    @Test("A stream connects again as often as its reader allows, and then ends as it was cut")
    func limit() async throws {
        let request = GetEvents<Numbered>(settings: ["cuts": "9", "how": "rst"])
        let stream = try await Server.faults.response(to: request).reconnecting(atMost: 0)
        await #expect(throws: StreamError.self) { try await stream.collected() }
        let asked = CancellationTests.Asked(key: request.key)
        #expect(try await Server.faults.response(to: asked).asked == 1)
    }

    @Test("The events of a POST are read, and it is never sent again")
    func post() async throws {
        struct Post: FlatRequest {
            let key = UUID().uuidString
            static let endpoint = Endpoint<Post>(
                method: .post, path: "-/stream/events",
                parameters: [.query("key", path: \.key), .queryValue("cuts", value: 1)])
            typealias Response = EventStream<Numbered>
        }
        let request = Post()
        let stream = try await Server.faults.response(to: request)
        #expect(try await stream.collected().map(\.id) == [1, 2, 3, 4, 5, 6])
        let asked = CancellationTests.Asked(key: request.key)
        #expect(try await Server.faults.response(to: asked).asked == 1)
    }

    @Test("A response that is no event stream is an error that says so", arguments: ["-/fine"])
    func otherType(_ path: String) async throws {
        struct Get: FlatRequest {
            let path: String
            static let endpoint = Endpoint<Get>(method: .get, path: "\(segments: \.path)")
            typealias Response = EventStream<Numbered>
        }
        let error = await #expect(throws: Get.TaskError.self) {
            try await Server.faults.response(to: Get(path: path))
        }
        #expect(
            error?.description == """
                Get: the response with status 200 can't be read: an event stream must \
                have the Content-Type text/event-stream; check the path, declare another Response, \
                or let `succeeded(_:)` say that this one is an error
                """)
    }
}

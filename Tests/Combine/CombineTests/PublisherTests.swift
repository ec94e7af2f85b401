import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import OpenCombine
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Publisher", .timeLimit(.minutes(1))) struct PublisherTests {
    let server = Server()
    let listener = Listener()

    private func publisher(
        _ path: String, _ processor: RequestProcessor? = nil
    ) throws -> EndpointPublisher<Get> {
        server.session.endpointPublisher(
            in: try server.environment(processor), with: Get(path: path))
    }

    @Test("A publisher publishes the response and finishes")
    func value() async throws {
        try publisher("a").subscribe(listener)
        let log = await listener.logAtEnd()
        #expect(log == ["/a", "finished"])
    }

    @Test("A publisher fails with the typed error")
    func failure() async throws {
        try publisher("refused").subscribe(listener)
        let log = await listener.logAtEnd()
        #expect(log == ["Get: the server responded with an error, status 503"])
    }

    @Test("A publisher fails with the EndpointError where no request can be made")
    func refusal() async throws {
        try publisher("a\nb").subscribe(listener)
        let log = await listener.logAtEnd()
        #expect(
            log == [
                "Get: the header \"X-Line\" has a control character, such as a line break; "
                    + "remove it"
            ])
        let events = await server.end()
        #expect(events == [])
    }

    @Test("A publisher refuses a stream, and says how it is loaded")
    func stream() async throws {
        struct Watch: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "lines")
            typealias Response = Lines
        }
        let (texts, ends) = AsyncStream.makeStream(of: String.self)
        let subscription = server.session
            .endpointPublisher(in: try server.environment(nil), with: Watch())
            .sink { completion in
                ends.yield("\(completion)")
                ends.finish()
            } receiveValue: { _ in
            }
        let text = await texts.reduce("") { $0 + $1 }
        #expect(text.contains("use `response(in:with:)`"))
        subscription.cancel()
    }

    @Test("A publisher loads nothing before the subscriber requests a value")
    func demand() async throws {
        let patient = Listener(demand: .none)
        try publisher("patient").subscribe(patient)
        try publisher("eager").subscribe(listener)
        let log = await listener.logAtEnd()
        #expect(log == ["/eager", "finished"])
        patient.ask(for: .max(1))
        let late = await patient.logAtEnd()
        #expect(late == ["/patient", "finished"])
        #expect([await server.next(), await server.next()] == ["load /eager", "load /patient"])
    }

    @Test("A publisher loads once, however often the subscriber requests values")
    func demandTwice() async throws {
        let patient = Listener(demand: .none)
        try publisher("a").subscribe(patient)
        patient.ask(for: .max(1))
        patient.ask(for: .unlimited)
        patient.ask(for: .max(2))
        let log = await patient.logAtEnd()
        #expect(log == ["/a", "finished"])
        let events = await server.end()
        #expect(events == ["load /a"])
    }

    @Test("A publisher loads once for each subscriber")
    func twoSubscribers() async throws {
        let publisher = try publisher("a")
        for listener in [Listener(), Listener()] {
            publisher.subscribe(listener)
            let log = await listener.logAtEnd()
            #expect(log == ["/a", "finished"])
            let event = await server.next()
            #expect(event == "load /a")
        }
    }

    @Test("A publisher makes a new request for each retry")
    func retry() async throws {
        let attempts = Mutex(0)
        let publisher = try publisher("refused") { request in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            request.setValue("\(attempt)", forHTTPHeaderField: "X-Attempt")
        }
        publisher.retry(2).subscribe(listener)
        for attempt in 1...3 {
            let event = await server.next()
            #expect(event == "load /refused \(attempt)")
        }
        #expect(await listener.logAtEnd().count == 1)
    }

    @Test("A subscriber that cancels stops the load and receives nothing more")
    func cancel() async throws {
        try publisher("silent").subscribe(listener)
        let event = await server.next()
        #expect(event == "load /silent")
        listener.cancel()
        let end = await server.next()
        #expect(end == "stop /silent")
        _ = await server.end()
        #expect(listener.log == [])
    }

    @Test("A publisher loads nothing for a subscriber that cancels before it requests a value")
    func cancelBeforeDemand() async throws {
        let patient = Listener(demand: .none)
        try publisher("a").subscribe(patient)
        patient.cancel()
        patient.ask(for: .max(1))
        let events = await server.end()
        #expect(!events.contains("load /a"))
        #expect(patient.log == [])
    }

    @Test("The load is cancelled when the last reference to its subscription is released")
    func release() async throws {
        var cancellable: AnyCancellable? = try publisher("silent")
            .sink { _ in
            } receiveValue: { _ in
            }
        let event = await server.next()
        #expect(event == "load /silent")
        cancellable = nil
        let end = await server.next()
        #expect(end == "stop /silent")
        _ = cancellable
    }

    @Test("A subscriber that cancels when it receives its value receives no completion")
    func leave() async throws {
        let events = Events()
        let leaver = Leaver(events: events)
        try publisher("a").subscribe(leaver)
        let value = await events.next()
        #expect(value == "/a")
        // This runs after the operation that called the subscriber.
        server.session.delegateQueue.addOperation { events.append("the queue went on") }
        let next = await events.next()
        #expect(next == "the queue went on")
    }

    @Test("Every transport has publishers, and cancelling one cancels its load")
    func otherTransport() async throws {
        let stub = StubTransport()
        stub.on(Get.self, .value("stub"))
        stub.endpointPublisher(in: try server.environment(), with: Get(path: "a"))
            .subscribe(listener)
        let log = await listener.logAtEnd()
        #expect(log == ["stub", "finished"])

        let events = Events()
        stub.on(Get.self) { _ in
            events.append("load")
            do { try await Task.sleep(nanoseconds: 3_600_000_000_000) } catch {
                events.append("\(type(of: error))")
            }
            return .value("late")
        }
        let other = Listener()
        stub.endpointPublisher(in: try server.environment(), with: Get(path: "a")).subscribe(other)
        #expect(await events.next() == "load")
        other.cancel()
        #expect(await events.next() == "CancellationError")
        #expect(other.log == [])
    }

    @Test("A publisher publishes on the session's delegate queue")
    func queue() async throws {
        let queue = Events()
        let session = server.session
        let cancellable = try publisher("a").sink { _ in
        } receiveValue: { _ in
            queue.append(OperationQueue.current === session.delegateQueue ? "delegate" : "other")
        }
        let event = await queue.next()
        #expect(event == "delegate")
        cancellable.cancel()
    }
}

/// A subscriber that cancels when it receives a value.
private final class Leaver: Subscriber {
    let events: Events
    private var subscription: (any Subscription)?

    init(events: Events) { self.events = events }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: String) -> Subscribers.Demand {
        subscription?.cancel()
        events.append(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Get.TaskError>) {
        events.append("\(completion)")
    }
}

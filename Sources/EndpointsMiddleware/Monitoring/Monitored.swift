import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that reports each step of a load, with what the platform tells of it.
    ///
    ///     let transport = session.monitored { event in print(event) }
    ///
    /// `.monitored { … }.retrying()` reports each attempt as a load of its own.
    /// `.retrying().monitored { … }` reports one load, with the steps of all attempts.
    ///
    /// The events of a load come in order and one at a time. The last one, which comes once, is
    /// `finished`, `failed` or `cancelled`. Events of different loads may come at the same time,
    /// as may those of a download's lanes, each of which is reported as a load of its own.
    /// The load may wait while the function runs, so keep it short. It can't change a response.
    /// - Parameters:
    ///   - secretNames: Changes to ``SecretNames/usual``, the names of query items whose values are
    ///     hidden. With a name that is empty, each load ends with an ``EndpointError``.
    ///   - clock: The clock that the events' times are read from.
    ///   - report: The function that is called with each event, on any thread.
    public func monitored(
        masking secretNames: SecretNames = [], clock: TransportClock = .system,
        _ report: @escaping @Sendable (LoadEvent) -> Void
    ) -> some Transport {
        Monitored(
            base: self, secretNames: .usual.union(secretNames), clock: clock, report: report,
            wrong: WrongSetting(
                masking: secretNames, of: "monitored", "write names, such as `token`"))
    }
}

struct Monitored<Base: Transport>: Transport {
    let base: Base
    let secretNames: SecretNames
    let clock: TransportClock
    let report: @Sendable (LoadEvent) -> Void
    let wrong: WrongSetting?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let wrong { throw wrong.error(request.requestType) }
        let load = MonitoredLoad(request, secretNames, clock, report)
        var inner = request
        inner.onStep = { step in
            request.onStep?(step)
            load.take(step)
        }
        do {
            var response = try await base.send(inner)
            let head = response.httpResponse
            load.returned(head)
            let count = Locked(0)
            response.body = try response.body.observed { chunk in
                count.withLock { $0 += chunk.count }
            } onEnd: { end in
                let bytes = count.withLock { $0 }
                switch end {
                case .whole: load.report(.finished(bytes: bytes, isWhole: true))
                case .dropped:
                    // There was nothing to read.
                    let isWhole = bytes == 0 && head.hasNoContent(method: request.urlRequest.method)
                    load.report(.finished(bytes: bytes, isWhole: isWhole))
                case .failed(let error): load.fail(error)
                }
            }
            return response
        } catch {
            load.fail(error)
            throw error
        }
    }
}

extension Monitored: Observing {
    var inner: any Transport { base }
}

/// Makes the events of a load, and reports them in their order.
private final class MonitoredLoad: Sendable {
    private struct State {
        /// The request that was sent last.
        var urlRequest: URLRequest
        var url: String
        var masking: EventMasking
        /// When the request was sent, in seconds since the load has started.
        var sentAt: TimeInterval = 0
        /// The head that has arrived last.
        var head: HTTPURLResponse?
        var events: [LoadEvent] = []
        var isReporting = false
        var hasEnded = false

        /// The URL of a request that is sent, whose secrets are hidden from now on.
        mutating func masked(_ urlRequest: URLRequest) -> String {
            masking.insert(secretsOf: urlRequest)
            return masking.url(urlRequest.url)
        }
    }

    private static let count = Locked(0)

    private let request: TransportRequest
    private let id: UUID
    private let number: Int
    private let requestType: String
    private let pathTemplate: String?
    private let bodyLength: Int64?
    private let clock: TransportClock
    private let start: TimeInterval
    private let monitor: @Sendable (LoadEvent) -> Void
    private let state: Locked<State>

    /// Reports that the load has started.
    init(
        _ request: TransportRequest, _ secretNames: SecretNames, _ clock: TransportClock,
        _ monitor: @escaping @Sendable (LoadEvent) -> Void
    ) {
        self.request = request
        self.clock = clock
        self.monitor = monitor
        id = request.loadID
        number = Self.count.withLock { count in
            count += 1
            return count
        }
        requestType = "\(request.requestType)"
        pathTemplate = request.pathTemplate
        bodyLength =
            if let upload = request.upload {
                try? upload.contentLength
            } else { request.urlRequest.httpBody.map { Int64($0.count) } }
        start = clock.uptime()
        var masking = EventMasking(request, secretNames)
        let url = masking.url(request.urlRequest.url)
        state = Locked(State(urlRequest: request.urlRequest, url: url, masking: masking))
        report(.started)
    }

    /// Takes a step of the transport. The event is reported on another queue, where a monitor may
    /// send requests of its own. `URLSession` on Linux tells its steps on its internal queue, and a
    /// call of `dataTask(with:)` there would be a deadlock (Swift 6.3.1).
    func take(_ step: TransportStep) {
        state.withLock { state in
            switch step {
            case .sent(let urlRequest):
                state.urlRequest = urlRequest
                state.url = state.masked(urlRequest)
                state.sentAt = now
                add(.sent, to: &state)
            case .responded(let head): respond(head, &state)
            case .redirected(let urlRequest):
                add(.redirected(to: state.masked(urlRequest)), to: &state)
            case .connection(let connection, let url):
                let url = url.map { state.masking.url($0) }
                add(.connection(connection), at: url, to: &state)
            }
        }
        DispatchQueue.global().async { [self] in reportEvents() }
    }

    /// Takes the head of the response that the transport has returned, which may be one that it
    /// hasn't told of.
    func returned(_ head: HTTPURLResponse) {
        state.withLock { respond(head, &$0) }
        reportEvents()
    }

    func fail(_ error: any Error) {
        let isCancelled = error is CancellationError || error.asURLError?.code == .cancelled
        report(isCancelled ? .cancelled : .failed(error))
    }

    func report(_ kind: LoadEvent.Kind) {
        state.withLock { add(kind, to: &$0) }
        reportEvents()
    }

    private var now: TimeInterval { clock.uptime() - start }

    private func respond(_ head: HTTPURLResponse, _ state: inout State) {
        guard state.head !== head.untraced else { return }
        state.head = head.untraced
        let time = now - state.sentAt
        add(.responded(status: head.statusCode, timeToFirstByte: time), to: &state)
    }

    /// Adds an event to those that are reported next. After the end there is none.
    private func add(_ kind: LoadEvent.Kind, at url: String? = nil, to state: inout State) {
        guard !state.hasEnded else { return }
        let isStart = if case .started = kind { true } else { false }
        let event = LoadEvent(
            kind: kind, number: number, loadID: id, attempt: request.attempt,
            requestType: requestType, pathTemplate: pathTemplate, method: state.urlRequest.method,
            url: url ?? state.url, seconds: isStart ? 0 : now, bodyLength: bodyLength,
            sent: state.urlRequest.allHTTPHeaderFields ?? [:], head: state.head,
            masking: state.masking.noting(request))
        state.hasEnded = event.isEnd
        state.events.append(event)
    }

    /// Reports the events that there are. If another thread is doing so, it reports these too.
    private func reportEvents() {
        while let event = nextEvent() {
            monitor(event)
            state.withLock { $0.isReporting = false }
        }
    }

    private func nextEvent() -> LoadEvent? {
        state.withLock { state in
            guard !state.isReporting, !state.events.isEmpty else { return nil }
            state.isReporting = true
            return state.events.removeFirst()
        }
    }
}

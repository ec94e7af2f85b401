import Endpoints
import EndpointsShared
import Foundation

extension Transport {
    /// A transport that limits how many requests are in flight to one origin: one scheme, host and
    /// port. Further requests wait.
    ///
    ///     URLSession.shared.limited(perOrigin: 4)   // a fifth request waits until one has ended
    ///
    /// Requests are sent in the order in which they came. A request is in flight until it fails or
    /// its response is returned. If the response's body arrives in chunks, the request is in flight
    /// until the body has been read or dropped. Cancelling a request that waits ends it at once. If
    /// its ``LoadPolicy/timeLimit`` is over before, it ends with `URLError.timedOut`, or with what
    /// a cache inside of this transport has stored, if that may be used then. A request that a
    /// ``CredentialSource`` sends to get a token isn't limited, because all requests in flight may
    /// be waiting for that token.
    /// - Parameters:
    ///   - count: The most requests in flight to one origin. With less than 1, each load ends with
    ///     an ``EndpointError``.
    ///   - clock: The clock for the time limits of requests that wait.
    public func limited(perOrigin count: Int, clock: TransportClock = .system) -> some Transport {
        Limited(base: self, count: count, clock: clock)
    }
}

struct Limited<Base: Transport>: Transport {
    let base: Base
    let count: Int
    let clock: TransportClock
    let queues = Locked(PerOrigin<Queue>())
    private let wrong: WrongSetting?

    init(base: Base, count: Int, clock: TransportClock) {
        self.base = base
        self.count = count
        self.clock = clock
        wrong = WrongSetting(
            "limited(perOrigin: \(count))", unless: count >= 1, "write 1 or more")
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // A request that gets a token isn't limited: all requests in flight may wait for that
        // token.
        if let wrong { throw wrong.error(request.requestType) }
        guard !TokenRefresher.isCallingAnySource, let url = request.urlRequest.url,
            let origin = queues.withLock({ $0.origin(of: url) })
        else { return try await base.send(request) }
        let deadline = Deadline(of: request, clock)
        do { return try await send(request, to: origin, until: deadline) } catch {
            guard deadline.isOver, let stored = await base.stored(insteadOf: request, after: error)
            else { throw error }
            return stored
        }
    }

    private func send(
        _ request: TransportRequest, to origin: Origin, until deadline: Deadline
    ) async throws -> TransportResponse {
        if let waiter = queues.withLock({ $0[origin].enter(slots: count) }) {
            do { try await waiter.value(until: deadline) } catch {
                queues.withLock { $0[origin].remove(waiter) }
                throw error
            }
        }
        do {
            var response = try await base.send(try deadline.limited(request))
            response.body = try response.body.observed { _ in leave(origin) }
            return response
        } catch {
            leave(origin)
            throw error
        }
    }

    /// Frees a slot. If requests wait, the one that has waited longest takes it.
    private func leave(_ origin: Origin) {
        // A request that has ended while it waited takes no slot.
        while let next = queues.withLock({ $0[origin].leave() }), !next.resume(with: .success(())) {
        }
    }
}

extension Limited: Layer {
    var inner: any Transport { base }
}

/// The requests to one origin: those in flight, which have a slot each, and those that wait.
struct Queue: OriginState {
    private var inFlight = 0
    private(set) var waiters: ArraySlice<Waiter<Void>> = []

    /// Whether no request has a slot. Then no request waits for one.
    func isIdle(at now: Date) -> Bool { inFlight == 0 }

    /// Takes a slot and returns `nil` if fewer than `count` are taken. Otherwise, the request must
    /// wait.
    mutating func enter(slots count: Int) -> Waiter<Void>? {
        guard inFlight >= count else {
            inFlight += 1
            return nil
        }
        let waiter = Waiter<Void>()
        waiters.append(waiter)
        return waiter
    }

    /// Forgets a request that has ended while it waited. The slots may be taken for hours.
    mutating func remove(_ waiter: Waiter<Void>) {
        waiters.removeAll { $0 === waiter }
    }

    /// Returns the request that gets the slot, if one waits; otherwise, frees the slot.
    mutating func leave() -> Waiter<Void>? {
        let next = waiters.popFirst()
        if next == nil { inFlight -= 1 }
        return next
    }
}

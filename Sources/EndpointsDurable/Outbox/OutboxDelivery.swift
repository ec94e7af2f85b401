import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How an attempt to send an entry has ended.
enum Outcome: Sendable {
    case sent
    /// The server doesn't accept it.
    case refused(Refusal)
    /// No request can be made of it, or its response can't be used.
    case unusable(Refusal)
    /// The server has failed, at this request or at all.
    case fault(Refusal)
    /// The server can't be reached, or can't accept it now. It may have said after how many seconds
    /// it can.
    case unreached(String, retryAfter: TimeInterval?)
    /// Its account isn't signed in.
    case otherAccount
    /// The server doesn't accept the account's credentials.
    case signedOut(String, retryAfter: TimeInterval?)
    /// Its type has changed or is gone.
    case unreadable(String)
    /// The task was cancelled.
    case cancelled
}

/// Why an entry was refused.
struct Refusal: Sendable {
    let text: String
    /// Tells the program, if its type has a function for that.
    let report: @Sendable (OutboxEntry) async -> Void
}

/// What an outbox has found out about a request that is to be kept.
struct Checked: Sendable {
    var account: String?
    var ownKey: String?
}

/// What sends the entries of an outbox to one environment.
struct Deliveries<Environment: EnvironmentType>: Sendable {
    let client: EndpointClient<Environment>
    let types: [OutboxType<Environment>]
    let clock: TransportClock
    let migrating: (@Sendable (OutboxStored) throws -> (any OutboxRequest)?)?
    let accounts: Accounts
    private let folder: URL

    init(
        _ client: EndpointClient<Environment>, _ types: [OutboxType<Environment>],
        _ clock: TransportClock,
        _ migrating: (@Sendable (OutboxStored) throws -> (any OutboxRequest)?)?, _ folder: URL
    ) {
        self.folder = folder
        self.client = client
        self.types = types
        self.clock = clock
        self.migrating = migrating
        accounts = Accounts(inside: client.transport)
    }

    /// Decodes requests whose files were copied into the outbox's folder.
    var decoder: JSONDecoder { OutboxCopies(in: folder).decoder }

    /// Throws if a request can't be sent as it is, or if its JSON is of another request.
    func checked(_ request: any OutboxRequest, _ json: Data) async throws(OutboxError) -> Checked {
        try await checkedOpened(request, json)
    }

    private func checkedOpened<Request: OutboxRequest>(
        _ request: Request, _ json: Data
    ) async throws(OutboxError) -> Checked {
        guard let environment = client.environment as? Request.Environment
        else { throw .undeclaredType("\(Request.self)") }
        let message: TransportRequest
        do throws(EndpointError) {
            message = try TransportRequest(of: request, in: environment)
            try message.check()
        } catch { throw .endpointError(error) }
        guard !message.streamsResponse else {
            throw .endpointError(
                EndpointError(
                    requestType: "\(Request.self)", field: .response,
                    reason: "is a stream, which an outbox can't read; declare another `Response`"))
        }
        try check(json, isOf: request, message, in: environment)
        let ownKey = message.urlRequest.value(forHTTPHeaderField: Headers.idempotencyKey.name)
        let account: Account?
        do { account = try await accounts.account(of: message, isLater: true) } catch {
            // As of a `signed(by:)` in the wrong place.
            if let error = error as? EndpointError { throw .endpointError(error) }
            throw .account(error)
        }
        guard account?.isNamed ?? true else { throw .account(UnnamedAccount()) }
        return Checked(account: account?.id, ownKey: ownKey)
    }

    /// Throws if a request that is read from the disk later would be another one, such as if a
    /// property gets a new value each time, as `let id = UUID()` does, or isn't in the JSON.
    private func check<Request: OutboxRequest>(
        _ json: Data, isOf request: Request, _ message: TransportRequest,
        in environment: Request.Environment
    ) throws(OutboxError) {
        let copy: Request
        do { copy = try JSONDecoder().decode(Request.self, from: json) } catch {
            throw .encoding(error)
        }
        let (later, again): (TransportRequest, TransportRequest)
        do {
            later = try TransportRequest(of: copy, in: environment)
            // The message of a request may change by itself, as with the time.
            again = try TransportRequest(of: request, in: environment)
        } catch { throw .encoding(error) }
        guard copy.outboxKey == request.outboxKey
        else { throw .encoding(ChangingRequest(part: "`outboxKey`")) }
        let (now, then) = (MessageParts(message), MessageParts(later))
        if let part = now.change(to: then, beside: MessageParts(again)) {
            throw .encoding(ChangingRequest(part: part))
        }
    }

    /// Sends an entry's request.
    func deliver(
        _ json: Data, _ entry: OutboxEntry, _ added: OutboxRecord.Added
    ) async -> Outcome {
        let delivery = Delivery(deliveries: self, entry: entry, added: added)
        let outcome: Outcome
        if let type = types.first(where: { $0.name == added.name }) {
            outcome = await type.deliver(json, delivery)
        } else {
            outcome = .unreadable(OutboxBook.unknown(added.name))
        }
        guard case .unreadable = outcome, let migrating else { return outcome }
        let request: any OutboxRequest
        let stored = OutboxStored(name: added.name, json: json, folder: folder)
        do {
            guard let migrated = try migrating(stored)
            else { return outcome }
            request = migrated
        } catch {
            return .unreadable("the migration of a \(added.name) has failed: \(error.safeReason)")
        }
        let name = type(of: request)
        guard let type = types.first(where: { $0.type == name }) else {
            return .unreadable(
                """
                the migration of a \(added.name) returned a \(name), which the outbox isn't made \
                for
                """)
        }
        do { return await type.deliver(try JSONEncoder().encode(request), delivery) } catch {
            return .unreadable(
                """
                the migration of a \(added.name) returned a \(name) that can't be written as \
                JSON: \(error.safeReason)
                """)
        }
    }
}

/// The delivery of one entry.
struct Delivery<Environment: EnvironmentType>: Sendable {
    let deliveries: Deliveries<Environment>
    let entry: OutboxEntry
    let added: OutboxRecord.Added

    func deliver<Request: OutboxRequest>(
        _ request: Request,
        _ respond: (@Sendable (Request.Response, Request, OutboxEntry) async -> Void)?,
        _ refused: (@Sendable (Request.TaskError, Request, OutboxEntry) async -> Void)?
    ) async -> Outcome where Request.Environment == Environment {
        func outcome(_ error: Request.TaskError, isRead: Bool = true) -> Outcome {
            Outcome(error, deliveries.clock, isRead: isRead) { await refused?(error, request, $0) }
        }
        var message: TransportRequest
        do throws(EndpointError) {
            message = try TransportRequest(of: request, in: deliveries.client.environment)
        } catch { return outcome(.endpointError(error)) }
        if !message.leavesOut(.idempotencyKey) {
            message.urlRequest.setValue(
                added.ownKey ?? added.id.uuidString,
                forHTTPHeaderField: Headers.idempotencyKey.name)
        }
        do {
            // From here on the message belongs to this account, also if another one signs in.
            guard try await deliveries.accounts.account(of: message)?.id == added.account
            else { return .otherAccount }
        } catch {
            return outcome(Request.TaskError(loading: error, Request.self))
        }
        do throws(Request.TaskError) {
            let transport = deliveries.client.transport
            let response = try await transport.response(to: message, as: Request.self)
            await respond?(response, request, entry)
            return .sent
        } catch { return outcome(error, isRead: respond != nil) }
    }
}

extension Outcome {
    /// - Parameters:
    ///   - isRead: Whether anybody needs the response.
    ///   - report: Tells the program that the entry was refused.
    init<ErrorResponse>(
        _ error: EndpointTaskError<ErrorResponse>, _ clock: TransportClock, isRead: Bool,
        _ report: @escaping @Sendable (OutboxEntry) async -> Void
    ) {
        let text = error.description
        let refusal = Refusal(text: text, report: report)
        switch error {
        case .cancelled: self = .cancelled
        case .urlLoadError(let error) where !error.isTransient: self = .unusable(refusal)
        case .urlLoadError, .internetConnectionOffline: self = .unreached(text, retryAfter: nil)
        case .transportError(let error) where error.cause is SignInError:
            let cause = error.cause as? SignInError
            self = cause?.isTransient == true ? .unreached(text, retryAfter: nil) : .otherAccount
        case .transportError(let error):
            let isTransient = (error.cause as? any TransientError)?.isTransient ?? true
            self = isTransient ? .unreached(text, retryAfter: nil) : .unusable(refusal)
        case .responseParseError where !isRead: self = .sent
        case .endpointError, .fileError, .responseParseError: self = .unusable(refusal)
        case .unexpectedResponse(let head), .errorResponse(let head, _),
            .errorResponseParseError(let head, _, _):
            let now = clock.date()
            let wait = head.retryAfter(now: now).map { min($0.timeIntervalSince(now), 86_400) }
            self =
                switch head.statusCode {
                case 401: .signedOut(text, retryAfter: wait)
                case 408, 425, 429, 502, 503, 504: .unreached(text, retryAfter: wait)
                case 400... where wait != nil: .unreached(text, retryAfter: wait)
                case 501, 505: .refused(refusal)
                case 500...: .fault(refusal)
                default: .refused(refusal)
                }
        }
    }
}

/// Why a request whose account has no name isn't kept.
private struct UnnamedAccount: LocalizedError {
    var errorDescription: String? {
        """
        its account has no name, so that a later sign-in can't be known to be of the same one; \
        give each `AccessToken` the name of its account, or `OAuthCredentials.signIn` or \
        `AWSSigner` its `account:`
        """
    }
}

/// What a request's message is made of, without the order of its bytes: two equal sets may be
/// written in different orders.
private struct MessageParts {
    /// What must be the same in each attempt, so that the server knows that it is the same request.
    private let fixed: [String: String?]
    private var parts: [String: [Int]]

    init(_ message: TransportRequest) {
        let request = message.urlRequest
        let key = Headers.idempotencyKey.name
        fixed = [
            "method": request.httpMethod, "path": request.url?.path,
            "`\(key)`": request.value(forHTTPHeaderField: key),
        ]
        func counts(_ bytes: some Sequence<UInt8>) -> [Int] {
            var counts = [Int](repeating: 0, count: 256)
            for byte in bytes { counts[Int(byte)] += 1 }
            return counts
        }
        parts = ["query": counts((request.url?.query ?? "").utf8)]
        parts["body"] = request.httpBody.map { counts($0) }
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            parts["`\(name)`"] = counts(value.utf8)
        }
    }

    /// The first part that differs in `later`, but not in `again`; `nil` if there is none. A part
    /// of `fixed` must never differ.
    func change(to later: MessageParts, beside again: MessageParts) -> String? {
        if let name = fixed.keys.sorted().first(where: { fixed[$0] != later.fixed[$0] }) {
            return name
        }
        return Set(parts.keys).union(later.parts.keys).sorted().first { name in
            parts[name] == again.parts[name] && parts[name] != later.parts[name]
        }
    }
}

/// Why a request whose JSON is that of another one isn't kept.
private struct ChangingRequest: LocalizedError {
    let part: String

    var errorDescription: String? {
        """
        its \(part) is another one when the JSON is read; let the JSON have all properties that \
        the request is made of, and write one such as `let id = UUID()` as `let id: UUID`, with a \
        value when the request is made
        """
    }
}

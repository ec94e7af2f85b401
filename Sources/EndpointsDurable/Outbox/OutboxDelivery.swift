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
            throw .account(error)
        }
        guard account?.isNamed ?? true else { throw .account(UnnamedAccount()) }
        return Checked(account: account?.id, ownKey: ownKey)
    }

    /// Throws if a request that is read from the disk later would be another one, such as if a
    /// property gets a new value each time: `let id = UUID()`.
    private func check<Request: OutboxRequest>(
        _ json: Data, isOf request: Request, _ message: TransportRequest,
        in environment: Request.Environment
    ) throws(OutboxError) {
        let copy: Request
        do { copy = try JSONDecoder().decode(Request.self, from: json) } catch {
            throw .encoding(error)
        }
        let (later, again): (TransportRequest, Data)
        do {
            later = try TransportRequest(of: copy, in: environment)
            again = try JSONEncoder().encode(copy)
        } catch { throw .encoding(error) }
        let key = Headers.idempotencyKey.name
        let (body, laterBody) = (message.urlRequest.httpBody, later.urlRequest.httpBody)
        guard json.hasSameValues(as: again), copy.outboxKey == request.outboxKey,
            (body ?? Data()).hasSameValues(as: laterBody ?? Data()),
            later.urlRequest.httpMethod == message.urlRequest.httpMethod,
            later.urlRequest.url?.path == message.urlRequest.url?.path,
            later.urlRequest.value(forHTTPHeaderField: key)
                == message.urlRequest.value(forHTTPHeaderField: key)
        else { throw .encoding(ChangingRequest()) }
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
        let name = type(of: request).outboxName
        guard let type = types.first(where: { $0.name == name }),
            let json = try? JSONEncoder().encode(request)
        else {
            return .unreadable(
                """
                the migration of a \(added.name) returned a \(name), which the outbox isn't made \
                for
                """
            )
        }
        return await type.deliver(json, delivery)
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
            // What sends the message later knows by it for which account this was asked.
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
        give each `AccessToken` the name of its account, or `OAuthCredentials.signIn` its \
        `account:`
        """
    }
}

/// Why a request whose JSON is that of another one isn't kept.
private struct ChangingRequest: LocalizedError {
    var errorDescription: String? {
        """
        a value, its path, its `outboxKey` or its `Idempotency-Key` is another one when the JSON \
        is read; write a property such as `let id = UUID()` as `let id: UUID`, and give it its \
        value when the request is made
        """
    }
}

extension Data {
    /// Whether two texts of JSON have the same values. The order of an array doesn't count, as that
    /// of a set changes. What isn't JSON, such as parts with a random boundary, isn't compared.
    fileprivate func hasSameValues(as other: Data) -> Bool {
        self == other || jsonValues == other.jsonValues
    }

    private var jsonValues: String? {
        func text(_ value: Any) -> String {
            switch value {
            case let object as [String: Any]:
                "{\(object.sorted { $0.key < $1.key }.map { "\($0.key):\(text($0.value))" })}"
            case let array as [Any]: "[\(array.map(text).sorted())]"
            default: "\(value)"
            }
        }
        return (try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed))
            .map(text)
    }
}

import Endpoints
import Foundation

/// The account whose credentials a request is sent with.
package struct Account: Sendable {
    /// A digest of the account's name or, if it has none, of its first token.
    package let id: String
    /// The header that has the credentials.
    package let header: String
    /// Whether a later process knows it by the same `id`.
    package let isNamed: Bool

    package init(id: String, header: String, isNamed: Bool = true) {
        self.id = id
        self.header = header
        self.isNamed = isNamed
    }
}

/// A transport that adds the credentials of an account to requests.
package protocol AccountNaming: Transport {
    /// The account that a request would be sent for; `nil` if no credentials would be added.
    ///
    /// - Throws: What the source of the credentials throws, and `CancellationError`.
    func account(of request: TransportRequest) async throws -> Account?

    /// The account of a request that is kept and sent later. Unlike ``account(of:)``, this also
    /// finds one that must sign in again before anything can be sent for it.
    ///
    /// - Throws: What ``account(of:)`` throws, if the account isn't known.
    func lastingAccount(of request: TransportRequest) async throws -> Account?

    /// Where this transport says that an account has ended; `nil` if none ever signs out, as of
    /// a key that signs.
    var endedAccounts: EndedAccounts? { get }
}

extension AccountNaming {
    /// The account with which the request could be sent now.
    package func lastingAccount(of request: TransportRequest) async throws -> Account? {
        try await account(of: request)
    }
}

/// A transport that keeps something for accounts, and drops it when the account signs out.
package protocol AccountKeeping: Transport {
    /// Drops what is kept for the accounts that end from now on.
    func drop(_ ended: EndedAccounts)
}

/// The transports inside of another one that add credentials.
package struct Accounts: Sendable {
    private let transports: [any AccountNaming]

    package init(inside transport: any Transport) {
        transports = transport.layers.compactMap { $0 as? any AccountNaming }
    }

    package var isEmpty: Bool { transports.isEmpty }

    /// Whether one of them can sign out.
    package var canEnd: Bool { transports.contains { $0.endedAccounts != nil } }

    /// The account that a request will be sent for; `nil` if no credentials will be added. If
    /// several transports add some, their accounts together count as one.
    ///
    /// - Parameter isLater: Whether it is sent later, so that the account may sign in again first.
    package func account(
        of request: TransportRequest, isLater: Bool = false
    ) async throws -> Account? {
        var accounts: [Account] = []
        for transport in transports {
            let account =
                try await isLater
                ? transport.lastingAccount(of: request) : transport.account(of: request)
            if let account { accounts.append(account) }
        }
        guard let first = accounts.first else { return nil }
        return Account(
            id: accounts.map(\.id).joined(separator: "+"), header: first.header,
            isNamed: accounts.allSatisfy(\.isNamed))
    }

    /// Calls a listener when an account has ended.
    package func addListener(_ listener: @escaping @Sendable (String) -> Void) {
        for transport in transports { transport.endedAccounts?.addListener(listener) }
    }
}

/// Calls its listeners when an account has signed out, or another one has signed in.
package final class EndedAccounts: Sendable {
    private let listeners = Locked<[@Sendable (String) -> Void]>([])

    package init() {}

    package func addListener(_ listener: @escaping @Sendable (String) -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    package func report(_ id: String) {
        for listener in listeners.withLock({ $0 }) { listener(id) }
    }
}

private enum AccountKey {}
private enum SharingKey {}
private enum WholeBodyKey {}

extension TransportRequest {
    /// The account whose credentials the request was last sent with; `nil` if it was sent without.
    package var account: Account? {
        get { memory.withLock { $0[ObjectIdentifier(AccountKey.self)] as? Account } }
        nonmutating set { memory.withLock { $0[ObjectIdentifier(AccountKey.self)] = newValue } }
    }

    /// What makes the request differ from others that look the same, such as how it uses a cache.
    package var distinction: String? {
        get { memory.withLock { $0[ObjectIdentifier(SharingKey.self)] as? String } }
        nonmutating set { memory.withLock { $0[ObjectIdentifier(SharingKey.self)] = newValue } }
    }

    /// Whether the bytes of a response's body are of use only all together, as they are verified at
    /// its end. Then no later response may go on where an earlier one has ended.
    package var needsWholeBody: Bool {
        get { memory.withLock { $0[ObjectIdentifier(WholeBodyKey.self)] != nil } }
        nonmutating set {
            memory.withLock { $0[ObjectIdentifier(WholeBodyKey.self)] = newValue ? true : nil }
        }
    }
}

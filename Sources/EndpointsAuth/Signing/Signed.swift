import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that signs each request just before it is sent.
    ///
    ///     let api = EndpointClient(
    ///         URLSession.shared.signed(by: signer).retrying().cached(in: .memory(megabytes: 20)),
    ///         in: .production)
    ///
    /// Write it next to the session, before all other middleware. Then each attempt has a signature
    /// of its own: that after a retry or a 401, a stream that connects again, a download that goes
    /// on. It follows redirects itself, as the request's policy says, so that each request of a
    /// redirect has one, too. Around other middleware than `logged`, which would change what is
    /// signed or send it later, each request ends with an ``Endpoints/EndpointError``.
    ///
    /// A request to another origin (scheme, host and port) than the environment's, as at a URL that
    /// a server has named, isn't signed, unless one of `trustedUrls` has that origin. After a
    /// redirect to another origin nothing is signed, even if that origin is trusted or a later
    /// redirect leads back.
    ///
    /// The request's ``Endpoints/LoadPolicy/timeLimit`` is for all its redirects together, and for
    /// a request that is signed anew, as by ``Endpoints/TransportRequest/signAgain(if:)``.
    /// - Parameters:
    ///   - signer: What signs. What it throws ends the request.
    ///   - trustedUrls: URLs of further servers whose requests are signed, such as one for uploads.
    ///   - clock: The clock that says when a request is signed.
    public func signed(
        by signer: some RequestSigner, trusting trustedUrls: [URL] = [],
        clock: TransportClock = .system
    ) -> some Transport {
        Signed(base: self, signer: signer, trusted: trustedUrls, clock: clock)
    }
}

struct Signed<Base: Transport, Signer: RequestSigner>: Transport {
    let base: Base
    let endedAccounts: EndedAccounts? = nil
    private let signer: Signer
    private let trusted: [Origin]
    private let clock: TransportClock
    private let wrong: WrongSetting?

    init(base: Base, signer: Signer, trusted: [URL], clock: TransportClock) {
        self.base = base
        self.signer = signer
        self.trusted = trusted.compactMap(Origin.init)
        self.clock = clock
        let unusable = trusted.first { Origin(of: $0) == nil }
        wrong =
            WrongSetting(
                "signed(by:)` around `\(base.nameOfChanging ?? "")",
                unless: base.nameOfChanging == nil,
                """
                a signature must be the last thing that is added: write `signed(by:)` next to the \
                session, as in `session.signed(by: signer).retrying()`
                """)
            ?? WrongSetting(
                "signed(by:trusting: [\(unusable.map(SecretNames.usual.masked) ?? "")])",
                unless: unusable == nil,
                "write the URL of a server, as in https://api.example.com")
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let wrong { throw wrong.error(request.requestType) }
        let deadline = Deadline(of: request, clock)
        var redirection = Redirection(of: request)
        var (request, isSigned) = (request, signs(request))
        while true {
            // The response is released at the end of this scope, before the next request is sent.
            let (sent, response) = try await load(request, isSigned: isSigned, deadline)
            guard let next = try redirection.next(after: response.httpResponse, to: sent)
            else { return response }
            isSigned = isSigned && next.hasSameOrigin(as: request)
            request = next
        }
    }

    /// Sends one request without following redirects, and once more if its signature was refused
    /// for a reason that the next one hasn't.
    /// - Returns: The request without its signature, and the response.
    private func load(
        _ request: TransportRequest, isSigned: Bool, _ deadline: Deadline
    ) async throws -> (TransportRequest, TransportResponse) {
        guard isSigned else {
            try checkHasNoReaders(request)
            let response = try await base.send(unfollowed(request, deadline))
            return (request, response.explainedAsUnsigned)
        }
        // The first response is released at the end of this scope, as it may hold the connection
        // that the second request waits for.
        do {
            let (response, isCorrected) = try await loadSigned(request, deadline)
            guard isCorrected, request.urlRequest.canBeSentAgain else { return (request, response) }
        }
        var request = request
        request.attempt += 1
        return (request, try await loadSigned(request, deadline).response)
    }

    /// Signs and sends one request. `isCorrected` says whether the server has refused the signature
    /// and the signer has learned from the response how to sign the next one. The signer reads each
    /// response, as any may have something to learn, such as the next nonce.
    private func loadSigned(
        _ request: TransportRequest, _ deadline: Deadline
    ) async throws -> (response: TransportResponse, isCorrected: Bool) {
        let (signed, readers) = try await self.signed(unfollowed(request, deadline), deadline)
        let response = try await base.send(signed)
        try checkIsUnchanged(signed, response)
        let isCorrected = try await readers.isCorrected(by: response.httpResponse, at: clock.date())
        return (response, isCorrected)
    }

    private func unfollowed(
        _ request: TransportRequest, _ deadline: Deadline
    ) throws -> TransportRequest {
        var request = try deadline.limited(request)
        request.policy.redirects = .doNotFollow
        return request
    }

    private func signed(
        _ request: TransportRequest, _ deadline: Deadline
    ) async throws -> (TransportRequest, SignatureReaders) {
        try checkHasNoReaders(request)
        let readers = SignatureReaders()
        request.signatureReaders = readers
        let (signer, date) = (signer, clock.date())
        @Sendable func sign() async throws -> TransportRequest {
            var signed = request
            try await signer.sign(&signed, at: date)
            return signed
        }
        var signed =
            deadline.secondsLeft == nil
            ? try await sign() : try await deadline.value(orThrow: deadline.timedOut, of: sign)
        signed = try deadline.limited(signed)
        // Another one may have signed in while the request waited.
        request.addAccount(try await account(ofCall: request))
        guard signed.hasSameOrigin(as: request) else {
            throw EndpointError(
                requestType: "\(request.requestType)", field: .transport,
                reason: """
                    has a signer that has changed the URL's scheme, host or port; a signer may add \
                    headers and query items
                    """)
        }
        // What a signer has set is hidden in texts, and isn't sent to another origin.
        let old = request.urlRequest.allHTTPHeaderFields ?? [:]
        for (name, value) in signed.urlRequest.allHTTPHeaderFields ?? [:] where old[name] != value {
            signed.policy.sensitiveHeaders.insert(Headers(name: name))
        }
        let items = Set(request.queryItems)
        for item in signed.queryItems where item.value != nil && !items.contains(item) {
            signed.policy.secretNames = signed.policy.secretNames.union(item.secretName)
        }
        return (signed, readers)
    }

    /// The id of the account that signs now.
    /// - Throws: A `SignInError` if it isn't that for which the request's call began.
    private func account(ofCall request: TransportRequest) async throws -> String {
        let id = Digest("signer " + (try await signer.account())).hex
        guard try await isLasting else { return id }
        let first = request.memory.withLock { memory in
            let key = ObjectIdentifier(FirstSignature.self)
            let first = memory[key] as? FirstSignature ?? FirstSignature(id: id)
            memory[key] = first
            return first
        }
        guard first.id == id else { throw SignInError(accountHasChanged: true) }
        return id
    }

    private var isLasting: Bool {
        get async throws { try await (signer as? any LastingSigner)?.isLasting ?? true }
    }

    /// Throws if `signAgain(if:)` was called by something else than a signer.
    private func checkHasNoReaders(_ request: TransportRequest) throws(EndpointError) {
        guard request.hasMisplacedReader else { return }
        throw EndpointError(
            requestType: "\(request.requestType)", field: .transport,
            reason: """
                has a `signAgain(if:)` that isn't called by a signer; call it in the `sign(_:at:)` \
                of a `RequestSigner`
                """)
    }

    /// Throws if the server has refused a request that a transport inside has changed.
    private func checkIsUnchanged(
        _ signed: TransportRequest, _ response: TransportResponse
    ) throws(EndpointError) {
        guard [400, 401, 403].contains(response.httpResponse.statusCode),
            let sent = signed.lastSent,
            let field = signed.urlRequest.change(in: sent)
        else { return }
        throw EndpointError(
            requestType: "\(signed.requestType)", field: field,
            reason: """
                was changed after `signed(by:)` had signed it, and the server's response has the \
                status \(response.httpResponse.statusCode); write the transport that changes it \
                outside of `signed(by:)`
                """)
    }

    private func signs(_ request: TransportRequest) -> Bool {
        guard request.leavesOrigin else { return true }
        // A transport outside, such as `verified`, may have followed a redirect to it.
        guard request.redirects.last?.url != request.urlRequest.url else { return false }
        return request.urlRequest.url.flatMap(Origin.init).map(trusted.contains) ?? false
    }
}

extension Signed: Layer {
    var inner: any Transport { base }
}

extension Signed: AccountNaming {
    func account(of request: TransportRequest) async throws -> Account? {
        if let wrong { throw wrong.error(request.requestType) }
        guard signs(request) else { return nil }
        return Account(
            id: try await account(ofCall: request), header: Headers.authorization.name,
            isNamed: try await isLasting)
    }
}

/// The account that has signed the first request of a call.
private struct FirstSignature: KeptForCall {
    let id: String
    var secrets: [String] { [] }
}

extension Transport {
    /// The name of the outermost middleware that isn't only an observer, such as `retrying`.
    fileprivate var nameOfChanging: String? {
        for case let layer as any Layer in layers where !(layer is any Observing) {
            return "\(type(of: layer))".prefix { $0 != "<" }.lowercased()
        }
        return nil
    }
}

extension TransportResponse {
    /// This response, if it is a 401 or 403, with a hint that the request had no signature.
    fileprivate var explainedAsUnsigned: TransportResponse {
        guard [401, 403].contains(httpResponse.statusCode) else { return self }
        var response = self
        response.httpResponse = httpResponse.withHint(
            """
            `signed(by:)` didn't sign it, because its URL has another origin than the \
            environment's; a request at such a URL is signed with `trusting: […]`, and after a \
            redirect none is
            """)
        return response
    }
}

extension URLRequest {
    /// A part of this request that another one hasn't; `nil` if the other one only adds headers.
    fileprivate func change(in sent: URLRequest) -> EndpointError.Field? {
        if method != sent.method { return .method }
        if url != sent.url { return .url }
        if httpBody != sent.httpBody { return .body }
        for (name, value) in allHTTPHeaderFields ?? [:]
        where sent.value(forHTTPHeaderField: name) != value {
            return .header(name)
        }
        return nil
    }
}

extension TransportRequest {
    /// Adds whose signature it is to the account that a sign-in outside has noted, as ``Accounts``
    /// names them together.
    fileprivate func addAccount(_ id: String) {
        let outer = account.flatMap { $0.id == id ? nil : $0 }
        guard outer?.id.hasSuffix("+\(id)") != true else { return }
        account = Account(
            id: outer.map { "\($0.id)+\(id)" } ?? id,
            header: outer?.header ?? Headers.authorization.name)
    }

    /// The items of the query. Equal ones may be escaped in two ways.
    fileprivate var queryItems: [AWSQueryItem] {
        let text = urlRequest.url?.absoluteString.prefix { $0 != "#" } ?? ""
        guard let mark = text.firstIndex(of: "?") else { return [] }
        return AWSQueryItem.items(of: text[text.index(after: mark)...])
    }

    fileprivate func hasSameOrigin(as other: TransportRequest) -> Bool {
        urlRequest.url.flatMap(Origin.init) == other.urlRequest.url.flatMap(Origin.init)
    }
}

extension AWSQueryItem {
    /// The item's name, whose values are hidden in texts. Longer names that end in it aren't.
    fileprivate var secretName: SecretNames {
        let name = String(decoding: PercentEncoding.decoded(name), as: UTF8.self)
        // A text with one of these signs would be a list of names. Signs make no difference.
        let word = String(name.map { ",;|".contains($0) ? "-" : $0 })
        return SecretNames(arrayLiteral: word).exactly
    }
}

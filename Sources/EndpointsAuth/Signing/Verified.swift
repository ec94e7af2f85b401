import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that returns only responses which a server has signed (RFC 9421).
    ///
    ///     let api = EndpointClient(session.verified(by: verifier).retrying(), in: .production)
    ///
    /// Any other response ends the request with a ``MessageVerificationError``, also an unsigned
    /// error response, such as a proxy's, an unsigned redirect, and an unsigned response of another
    /// origin after a redirect. Write it outside of `signed`, and inside of `retrying` and
    /// `cached`.
    ///
    /// The body must be signed by a `Content-Digest` or, but for a 206, a `Repr-Digest` that the
    /// signature covers (RFC 9530), by SHA-256 or SHA-512. A body in memory is checked before it is
    /// returned. A stream is checked while it arrives: each chunk is given out when the next one
    /// has arrived, and instead of the last chunk of a wrong body an error is thrown, so what came
    /// before can be used only once the stream has ended. A file is moved to its place only then. A
    /// stream or file whose connection is lost isn't continued, as its beginning isn't verified: a
    /// later download loads the whole file, in one lane.
    ///
    /// A digest is that of the bytes as they are sent, so each request that has no
    /// `Accept-Encoding` asks for a response that isn't compressed.
    /// - Parameters:
    ///   - verifier: The server's keys, and what their signatures must cover. With a setting that
    ///     can't be meant, such as no keys, each request ends with an ``Endpoints/EndpointError``.
    ///   - clock: The clock that says how old a signature is.
    public func verified(
        by verifier: MessageVerifier, clock: TransportClock = .system
    ) -> some Transport {
        Verified(base: self, verifier: verifier, clock: clock, wrong: verifier.wrong)
    }
}

struct Verified<Base: Transport>: Transport {
    let base: Base
    let verifier: MessageVerifier
    let clock: TransportClock
    let wrong: WrongSetting?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let wrong { throw wrong.error(request.requestType) }
        var request = request
        let coding = "Accept-Encoding"
        if request.urlRequest.value(forHTTPHeaderField: coding) == nil {
            request.urlRequest.setValue("identity", forHTTPHeaderField: coding)
        }
        let deadline = Deadline(of: request, clock)
        var redirection = Redirection(of: request)
        request.policy.redirects = .doNotFollow
        while true {
            // A redirect, too, must be the server's, or else it leads to another valid response.
            let response = try await verified(try deadline.limited(request))
            guard let next = try redirection.next(after: response.httpResponse, to: request)
            else { return response }
            request = next
        }
    }

    private func verified(_ request: TransportRequest) async throws -> TransportResponse {
        var response = try await base.send(request)
        let head = response.httpResponse
        // What a signer inside has added or escaped anew is what the server has got.
        let sent = request.lastSent ?? request.urlRequest
        let message = SignedMessage(request: sent, response: head)
        let covered = try await verifier.verify(message, at: clock.date())
        guard message.hasContent else {
            response.body = ResponseBody(Data())
            return response
        }
        let expected = try digests(of: message, covered)
        guard !expected.isEmpty else { return response }
        request.needsWholeBody = true
        let check = BodyCheck(expected: expected, statusCode: head.statusCode)
        response.body = try response.body.checked(check)
        return response
    }

    /// The digests that the body must have; empty if it needs none.
    private func digests(
        of message: SignedMessage, _ covered: [MessageComponent]
    ) throws -> [ExpectedDigests] {
        guard let head = message.response, message.hasContent else { return [] }
        func error(_ reason: MessageVerificationError.Reason) -> MessageVerificationError {
            MessageVerificationError(reason: reason, statusCode: head.statusCode)
        }
        // A part has no representation of its own (RFC 9530, section 3).
        let names = head.statusCode == 206 ? ["content-digest"] : ["content-digest", "repr-digest"]
        let components = covered.filter { names.contains($0.name) && !$0.isOfRequest }
        guard !components.isEmpty else {
            guard verifier.allowsUnsignedBody else { throw error(.bodyUncovered) }
            return []
        }
        let coding = head.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? ""
        guard ["", "identity"].contains(coding.trimmingBlanks) else { throw error(.compressed) }
        return try components.map { component in
            let field = head.value(forHTTPHeaderField: component.name) ?? ""
            guard let digests = ExpectedDigests(field, only: component.key.map { [$0] })
            else { throw error(.unknownDigest) }
            return digests
        }
    }
}

extension Verified: Layer {
    var inner: any Transport { base }
}

/// A body that is hashed until it is known whether it is the one that was signed.
private struct BodyCheck: Sendable {
    private var digests: [(expected: ExpectedDigests, hash: BodyHash)]
    let statusCode: Int

    init(expected: [ExpectedDigests], statusCode: Int) {
        digests = expected.map { ($0, $0.hash) }
        self.statusCode = statusCode
    }

    mutating func update(_ chunk: Data) {
        for index in digests.indices { digests[index].hash.update(chunk) }
    }

    /// Throws if the body that was hashed isn't the one that was signed.
    func finish() throws(MessageVerificationError) {
        guard digests.allSatisfy({ $0.expected.match($0.hash) }) else {
            throw MessageVerificationError(reason: .otherBody, statusCode: statusCode)
        }
    }
}

extension ResponseBody {
    /// The same body. A body in memory is checked at once. Of any other one, each chunk is given
    /// out when the next one has arrived, and the last one when all were checked.
    fileprivate func checked(_ check: BodyCheck) throws -> ResponseBody {
        var check = check
        if let whole {
            check.update(whole)
            try check.finish()
            return self
        }
        let (next, state) = (makeAsyncIterator().next, Locked(CheckedBody(check: check)))
        return ResponseBody {
            while true {
                let chunk: Data?
                do { chunk = try await next?() } catch {
                    throw state.withLock { $0.failure(error) }
                }
                guard let chunk else { return try state.withLock { try $0.last() } }
                if let earlier = state.withLock({ $0.add(chunk) }) { return earlier }
            }
        }
    }
}

/// A body while it arrives and is checked.
private struct CheckedBody: Sendable {
    var check: BodyCheck
    /// The chunk that isn't given out yet.
    private var held: Data?
    private var hasGivenOut = false

    init(check: BodyCheck) {
        self.check = check
    }

    /// Adds a chunk, and returns the one before.
    mutating func add(_ chunk: Data) -> Data? {
        guard !chunk.isEmpty else { return nil }
        check.update(chunk)
        let earlier = held
        held = chunk
        hasGivenOut = hasGivenOut || earlier != nil
        return earlier
    }

    /// The last chunk, once; then `nil`.
    mutating func last() throws -> Data? {
        try check.finish()
        return held.take()
    }

    /// The error of a body that didn't arrive as a whole. Nothing may go on after chunks that
    /// weren't verified, as after a lost connection a download would.
    mutating func failure(_ error: any Error) -> any Error {
        guard hasGivenOut, !(error is CancellationError),
            (error as? URLError)?.code != .cancelled
        else { return error }
        return MessageVerificationError(reason: .incomplete, statusCode: check.statusCode)
    }
}

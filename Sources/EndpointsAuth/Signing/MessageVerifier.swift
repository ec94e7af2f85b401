import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What makes a response valid: whose signature it must have (RFC 9421), and what that must cover.
///
///     let verifier = MessageVerifier(
///         keys: [.hmacSHA256(sharedKey, id: "server")],
///         requiring: [.status, "Content-Type", .method.ofRequest, .targetURI.ofRequest])
///     let api = EndpointClient(session.verified(by: verifier).retrying(), in: .production)
///
/// The key decides the algorithm, never the response. Require components of the request, as above,
/// or else a valid response to another request is accepted, too.
public struct MessageVerifier: Sendable {
    let keys: [MessageVerifyingKey]
    let required: [MessageComponent]
    let label: String?
    let tag: String?
    let maximumAge: TimeInterval?
    let tolerance: TimeInterval
    let allowsUnsignedBody: Bool

    /// Makes a verifier.
    /// - Parameters:
    ///   - keys: The keys of the server, each with its own id. A signature without a `keyid` is
    ///     verified with the only key.
    ///   - components: What a signature must cover, at least one. What isn't covered may have been
    ///     changed on the way.
    ///   - label: The name of the signature; `nil` for any.
    ///   - tag: What the signature must be for, its `tag`; `nil` for anything.
    ///   - maximumAge: How many seconds ago the signature may have been made, by its `created`.
    ///     With `nil`, it needs no `created`, so that an old response is accepted forever.
    ///   - tolerance: By how many seconds the server's clock may differ from this one.
    ///   - allowsUnsignedBody: Whether a response is accepted whose signature covers neither
    ///     `Content-Digest` nor `Repr-Digest`. Its body may be anybody's then.
    public init(
        keys: [MessageVerifyingKey], requiring components: [MessageComponent],
        label: String? = nil, tag: String? = nil, maximumAge: TimeInterval? = 300,
        tolerance: TimeInterval = 60, allowsUnsignedBody: Bool = false
    ) {
        self.keys = keys
        required = components
        self.label = label
        self.tag = tag
        self.maximumAge = maximumAge
        self.tolerance = tolerance
        self.allowsUnsignedBody = allowsUnsignedBody
    }

    /// What is wrong with the settings.
    var wrong: WrongSetting? {
        func setting(_ text: String, _ advice: String) -> WrongSetting? {
            WrongSetting("MessageVerifier(\(text))", unless: false, advice)
        }
        guard !keys.isEmpty else { return setting("keys: []", "give it a key of the server") }
        guard Set(keys.map(\.id)).count == keys.count else {
            return setting("keys:", "give each key an id of its own")
        }
        guard keys.allSatisfy({ $0.problem == nil }) else {
            return setting("keys:", "a key is empty, with which everybody can sign")
        }
        guard !required.isEmpty else {
            return setting("requiring: []", "write what a signature must cover, such as `.status`")
        }
        for component in required where !component.isOfResponse {
            return setting(
                "requiring: [\(component)]",
                component.problem.map { "it \($0)" }
                    ?? "a response doesn't have it; write `.ofRequest` after it")
        }
        guard maximumAge ?? 1 > 0, tolerance >= 0 else {
            return setting(
                "maximumAge:tolerance:", "write an age above zero, and a tolerance of 0 or more")
        }
        return nil
    }
}

extension MessageVerifier: CustomStringConvertible, CustomReflectable {
    /// The names of the algorithms.
    public var description: String {
        "MessageVerifier(\(keys.map(\.algorithm.rawValue).joined(separator: ", ")))"
    }
    /// No children, because `dump(_:)` would print what closures keep.
    public var customMirror: Mirror { .hidden(self) }
}

extension MessageComponent {
    /// Whether the signature of a response can have it.
    fileprivate var isOfResponse: Bool {
        guard problem == nil else { return false }
        if isOfRequest { return name != "@status" }
        return (!isDerived || name == "@status") && !parameters.contains(.bytes)
    }
}

extension MessageVerifier {
    /// So many signatures of a response are tried, so many components may one of them cover, and so
    /// long may each of the two headers be.
    private static let most = (signatures: 8, components: 64, bytes: 32_768)

    /// Verifies a response's signature.
    /// - Returns: What the valid signature covers.
    /// - Throws: A ``MessageVerificationError``; what a key's closure throws.
    func verify(_ message: SignedMessage, at date: Date) async throws -> [MessageComponent] {
        guard let head = message.response,
            let input = head.value(forHTTPHeaderField: "Signature-Input"),
            let field = head.value(forHTTPHeaderField: "Signature")
        else { throw error(.unsigned, message) }
        guard input.utf8.count <= Self.most.bytes, field.utf8.count <= Self.most.bytes
        else { throw error(.malformed, message) }
        guard let inputs = StructuredMap<StructuredMember>(parsing: input),
            let signatures = StructuredMap<StructuredMember>(parsing: field)
        else { throw error(.malformed, message) }
        var failure: MessageVerificationError?
        for (label, member) in inputs.entries.filter({ isMeant($0.key, $0.value) })
            .prefix(Self.most.signatures)
        {
            guard case .innerList(let items, let parameters) = member,
                case .item(let item)? = signatures[label], case .bytes(let bytes) = item.value
            else { throw error(.malformed, message) }
            do {
                return try await verify(
                    items, parameters, Data(bytes), of: message, member, at: date)
            } catch let error as MessageVerificationError { failure = failure ?? error }
        }
        throw failure ?? error(.unknownKey, message)
    }

    /// Whether a signature is one of those that are looked for.
    private func isMeant(_ label: String, _ member: StructuredMember) -> Bool {
        guard case .innerList(_, let parameters) = member else { return false }
        return (self.label ?? label) == label && key(for: parameters) != nil
            && (tag == nil || tag.map(StructuredValue.string) == parameters["tag"])
    }

    private func key(
        for parameters: StructuredMap<StructuredValue>
    ) -> MessageVerifyingKey? {
        guard let id = parameters["keyid"] else { return keys.count == 1 ? keys.first : nil }
        return keys.first { .string($0.id) == id }
    }

    private func verify(
        _ items: [StructuredItem], _ parameters: StructuredMap<StructuredValue>,
        _ signature: Data, of message: SignedMessage, _ member: StructuredMember, at date: Date
    ) async throws -> [MessageComponent] {
        guard let key = key(for: parameters) else { throw error(.unknownKey, message) }
        if let algorithm = parameters["alg"], algorithm != .string(key.algorithm.rawValue) {
            throw error(.otherAlgorithm, message)
        }
        guard items.count <= Self.most.components else { throw error(.malformed, message) }
        let components = try items.map { item in
            guard let component = MessageComponent(item, kindsOf: required) else {
                let text = (try? item.serialized()) ?? ""
                throw error(.unknownComponent(String(text.prefix(100))), message)
            }
            return component
        }
        guard components.firstDuplicate == nil else { throw error(.malformed, message) }
        if let missing = required.first(where: { !isCovered($0, by: components, message) }) {
            throw error(.uncovered(missing), message)
        }
        if let reason = try untimely(parameters, message, at: date) {
            throw error(reason, message)
        }
        let base: Data
        do { base = try message.base(of: components, member) } catch let failure as ComponentError {
            throw error(.unreadable(failure.component), message)
        } catch { throw self.error(.malformed, message) }
        guard try await key.isValid(base, signature) else { throw error(.invalid, message) }
        return components
    }

    /// A response without content needs no digest, even if one is required.
    private func isCovered(
        _ component: MessageComponent, by components: [MessageComponent], _ message: SignedMessage
    ) -> Bool {
        components.contains(component)
            || component.isDigest && !component.isOfRequest && !message.hasContent
    }

    /// Why a signature isn't valid at a time; `nil` if it is.
    private func untimely(
        _ parameters: StructuredMap<StructuredValue>, _ message: SignedMessage, at date: Date
    ) throws -> MessageVerificationError.Reason? {
        func seconds(_ name: String) throws -> TimeInterval? {
            guard let value = parameters[name] else { return nil }
            guard case .integer(let seconds) = value else { throw error(.malformed, message) }
            return TimeInterval(seconds)
        }
        let now = date.timeIntervalSince1970
        let (created, expires) = (try seconds("created"), try seconds("expires"))
        if let expires, expires + tolerance < now { return .expired }
        if let created, created > now + tolerance { return .fromTheFuture }
        guard let maximumAge else { return nil }
        guard let created else { return .withoutTime }
        return created + maximumAge + tolerance < now ? .expired : nil
    }

    private func error(
        _ reason: MessageVerificationError.Reason, _ message: SignedMessage
    ) -> MessageVerificationError {
        MessageVerificationError(reason: reason, statusCode: message.response?.statusCode ?? 0)
    }
}

extension MessageComponent {
    var isDigest: Bool { name == "content-digest" || name == "repr-digest" }
}

extension SignedMessage {
    /// Whether the response may have content (RFC 9110, sections 9.3.2, 15.3.5, 15.3.6, 15.4.5).
    var hasContent: Bool {
        guard let status = response?.statusCode else { return false }
        return request.method != "HEAD" && ![204, 205, 304].contains(status)
    }
}

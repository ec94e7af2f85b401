import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs requests by HTTP Message Signatures (RFC 9421).
///
///     let signer = MessageSigner(
///         key: .hmacSHA256(sharedKey, id: "job"),
///         covering: [.method, .targetURI, "Date"])
///     let api = EndpointClient(session.signed(by: signer).retrying(), in: .production)
///     // Signature-Input: sig=("@method" "@target-uri" "date");created=1700000000;keyid="job"
///     // Signature: sig=:…:
///
/// The body is signed by its digest: the signer adds a `Content-Digest` (RFC 9530) to a request
/// with a body, and to a POST, PUT or PATCH without one, and covers it. A file is read for it, 64
/// KB at a time.
///
/// A request ends with an ``Endpoints/EndpointError`` that names the component if a covered one
/// isn't in it, and with one about the `Content-Digest` if it has its own and this isn't that of
/// the body.
public struct MessageSigner: RequestSigner {
    private let key: MessageSigningKey
    private let covered: [MessageComponent]
    private let coveredIfPresent: [MessageComponent]
    private let label: String
    private let tag: String?
    private let lifetime: Int?
    private let nonce: (@Sendable () -> String)?
    private let namesAlgorithm: Bool
    private let digest: DigestAlgorithm?

    /// Makes a signer.
    /// - Parameters:
    ///   - key: The key and its algorithm.
    ///   - components: What the signature covers, in this order. What it doesn't cover can be
    ///     changed on the way.
    ///   - optional: What it covers in requests that have it, such as `Content-Type`, which a GET
    ///     hasn't.
    ///   - digest: The algorithm of the body's `Content-Digest`. With `nil` the body isn't signed,
    ///     unless `components` has `"Content-Digest"`.
    ///   - label: The name of the signature among others in the same message: small letters,
    ///     digits, `_`, `-`, `.` and `*`, and first a letter.
    ///   - tag: What the signature is for, such as the name of a protocol.
    ///   - seconds: After how many seconds the signature is no longer valid; at least 1. With `nil`
    ///     the server decides.
    ///   - nonce: Makes a text that no other signature has, such as ``randomNonce()``, so that the
    ///     server can refuse a request that is sent again by somebody else.
    ///   - namesAlgorithm: Whether the signature names the key's algorithm (`alg`). The server
    ///     should know it by the key.
    public init(
        key: MessageSigningKey,
        covering components: [MessageComponent] = [.method, .targetURI],
        coveringIfPresent optional: [MessageComponent] = ["Content-Type"],
        digest: DigestAlgorithm? = .sha256, label: String = "sig", tag: String? = nil,
        expiresAfter seconds: Int? = nil, nonce: (@Sendable () -> String)? = nil,
        namingAlgorithm namesAlgorithm: Bool = false
    ) {
        self.key = key
        covered = components
        coveredIfPresent = optional
        self.digest = digest
        self.label = label
        self.tag = tag
        lifetime = seconds
        self.nonce = nonce
        self.namesAlgorithm = namesAlgorithm
    }

    /// A text of 22 characters with 128 random bits, for a nonce.
    public static func randomNonce() -> String {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return Data(bytes).base64EncodedString().prefix { $0 != "=" }
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }

    /// The key's id.
    public func account() -> String { key.id }

    /// Adds `Content-Digest`, `Signature-Input` and `Signature`.
    /// - Throws: An ``Endpoints/EndpointError`` that names the component which can't be signed; a
    ///   ``Endpoints/FileError`` for a file that can't be read; what the key's closure throws.
    public func sign(_ request: inout TransportRequest, at date: Date) async throws {
        if let problem = key.problem ?? problem {
            throw Self.error(request, .transport, "has a `MessageSigner` that \(problem)")
        }
        let digestComponent = try await addDigest(to: &request)
        let message = SignedMessage(request: request.urlRequest)
        var components = covered
        let present = coveredIfPresent.filter { $0.isIn(message) } + digestComponent
        for component in present where !components.contains(component) {
            components.append(component)
        }
        if let twice = components.firstDuplicate {
            throw Self.error(request, twice, "is covered twice; write it once")
        }
        let signature: String
        let input: String
        do {
            let parameters = parameters(at: date)
            let member = StructuredMember.innerList(components.map(\.item), parameters)
            let base = try message.base(of: components, member)
            let bytes = Array(try await key.sign(base))
            signature = try request.added(
                .item(StructuredItem(.bytes(bytes))), to: "Signature", as: label)
            input = try request.added(member, to: "Signature-Input", as: label)
        } catch let failure as ComponentError {
            throw Self.error(request, failure.component, failure.reason)
        } catch is StructuredError {
            throw Self.error(
                request, .transport,
                """
                has a `MessageSigner` with a text that can't be sent; use ASCII without line breaks \
                for the key's id, the tag, the nonce and the names
                """)
        }
        request.urlRequest.setValue(input, forHTTPHeaderField: "Signature-Input")
        request.urlRequest.setValue(signature, forHTTPHeaderField: "Signature")
    }

    /// What is wrong with the settings.
    private var problem: String? {
        if let lifetime, !(1...1_000_000_000).contains(lifetime) {
            return "expires after \(lifetime) seconds; write 1 to 1,000,000,000"
        }
        let map = StructuredMap([(label, StructuredValue.boolean(true))])
        guard (try? StructuredItem(.integer(0), map).serialized()) != nil else {
            return "has a wrong label; use small letters, digits and `-`, and first a letter"
        }
        return nil
    }

    private func parameters(at date: Date) -> StructuredMap<StructuredValue> {
        let created = Int64(max(0, min(date.timeIntervalSince1970.rounded(.down), 1e14)))
        var parameters = StructuredMap<StructuredValue>()
        parameters["created"] = .integer(created)
        if let lifetime { parameters["expires"] = .integer(created + Int64(lifetime)) }
        parameters["keyid"] = .string(key.id)
        if namesAlgorithm { parameters["alg"] = .string(key.algorithm.rawValue) }
        if let nonce { parameters["nonce"] = .string(nonce()) }
        if let tag { parameters["tag"] = .string(tag) }
        return parameters
    }

    /// Adds a `Content-Digest`, or checks the one that the request has.
    /// - Returns: The component to be covered, if there is one.
    private func addDigest(
        to request: inout TransportRequest
    ) async throws -> [MessageComponent] {
        let name = "Content-Digest"
        if let own = request.urlRequest.value(forHTTPHeaderField: name) {
            switch try await request.hasContentDigest(own) {
            case true?: return digest == nil ? [] : ["Content-Digest"]
            case false?:
                throw Self.error(
                    request, .header(name), "isn't the digest of the body; leave it to the signer")
            case nil:
                throw Self.error(
                    request, .header(name),
                    "has no digest that can be checked, as sha-256; leave it to the signer")
            }
        }
        let coversDigest = covered.contains { $0.name == "content-digest" }
        guard let algorithm = digest ?? (coversDigest ? .sha256 : nil),
            request.hasBody || coversDigest
        else { return [] }
        let value = try await request.contentDigest(algorithm)
        request.urlRequest.setValue(value, forHTTPHeaderField: name)
        return coversDigest ? [] : ["Content-Digest"]
    }

    private static func error(
        _ request: TransportRequest, _ component: MessageComponent, _ reason: String
    ) -> EndpointError {
        if component.isDerived {
            return error(
                request, .transport, "covers \(component) by a signature, but it \(reason)")
        }
        return error(request, .header(component.name), "is covered by a signature, but \(reason)")
    }

    private static func error(
        _ request: TransportRequest, _ field: EndpointError.Field, _ reason: String
    ) -> EndpointError {
        EndpointError(requestType: "\(request.requestType)", field: field, reason: reason)
    }
}

extension MessageSigner: CustomStringConvertible, CustomReflectable {
    /// The key's algorithm.
    public var description: String { "MessageSigner(\(key.algorithm))" }
    /// No children, because `dump(_:)` would print the key's id and what a closure keeps.
    public var customMirror: Mirror { .hidden(self) }
}

extension MessageComponent {
    /// Whether a message has it, so that it can be covered or is wrong.
    fileprivate func isIn(_ message: SignedMessage) -> Bool {
        if isDerived { return (try? message.value(of: self)) != nil }
        return problem != nil || message.request.value(forHTTPHeaderField: name) != nil
    }
}

extension [MessageComponent] {
    var firstDuplicate: MessageComponent? {
        var seen: Set<MessageComponent> = []
        return first { !seen.insert($0).inserted }
    }
}

extension TransportRequest {
    /// Whether the request has a body, or has a method whose requests usually have one.
    fileprivate var hasBody: Bool {
        ["POST", "PUT", "PATCH"].contains(urlRequest.method) || upload != nil
            || urlRequest.httpBodyStream != nil || urlRequest.httpBody?.isEmpty == false
    }

    /// The value of a header that is a dictionary, with one member more.
    fileprivate func added(
        _ member: StructuredMember, to name: String, as label: String
    ) throws -> String {
        func error(_ reason: String) -> EndpointError {
            EndpointError(requestType: "\(requestType)", field: .header(name), reason: reason)
        }
        var members = StructuredMap<StructuredMember>()
        if let field = urlRequest.value(forHTTPHeaderField: name) {
            guard let others = StructuredMap<StructuredMember>(parsing: field) else {
                throw error("isn't a list of signatures; remove it, as the signer sets it")
            }
            members = others
        }
        guard members[label] == nil else {
            throw error("has a signature \(label.quoted) already; give the signer another `label`")
        }
        members[label] = member
        return try members.serialized()
    }
}

import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a component has no value in a message.
struct ComponentError: Error {
    let component: MessageComponent
    /// What is wrong and what to do, to be read after the component's name.
    let reason: String
}

/// A request, or a response with its request, of which a signature covers components.
struct SignedMessage {
    let request: URLRequest
    /// The response; `nil` if the signature is that of the request.
    var response: HTTPURLResponse?

    /// What is signed: a line for each component, and one with the components and the signature's
    /// parameters (RFC 9421, section 2.5).
    /// - Parameter parameters: The value of `@signature-params`.
    func base(
        of components: [MessageComponent], _ parameters: StructuredMember
    ) throws -> Data {
        var (base, known) = ("", KnownDictionaries())
        for component in components {
            base += "\(try component.item.serialized()): \(try value(of: component, &known))\n"
        }
        base += "\"@signature-params\": \(try parameters.serialized())"
        return Data(base.utf8)
    }

    /// The value of a component.
    func value(of component: MessageComponent) throws(ComponentError) -> String {
        var known = KnownDictionaries()
        return try value(of: component, &known)
    }

    private func value(
        of component: MessageComponent, _ known: inout KnownDictionaries
    ) throws(ComponentError) -> String {
        func error(_ reason: String) -> ComponentError {
            ComponentError(component: component, reason: reason)
        }
        if let problem = component.problem { throw error(problem) }
        if component.isOfRequest, response == nil {
            throw error("is a component of a response's signature; remove `ofRequest`")
        }
        let response = component.isOfRequest ? nil : response
        guard component.isDerived else {
            let field =
                if let response {
                    response.value(forHTTPHeaderField: component.name)
                } else { request.value(forHTTPHeaderField: component.name) }
            guard let field else { throw error(Self.missing(component.name, response == nil)) }
            return try value(of: component, field, isOfResponse: response != nil, &known)
        }
        if let response {
            guard component.name == "@status" else {
                throw error("isn't a component of a response; write `.ofRequest` after it")
            }
            return String(response.statusCode)
        }
        if component.name == "@status" { throw error("is a component of responses only") }
        guard let target = request.url.flatMap(RequestTarget.init)
        else { throw error("can't be made of the URL, which isn't http or https") }
        return try value(of: component, target)
    }

    private static func missing(_ name: String, _ isOfRequest: Bool) -> String {
        guard isOfRequest else { return "isn't in the response" }
        return switch name {
        case "host": "is set by the transport; cover `.authority`"
        case "content-length", "transfer-encoding", "connection":
            "is set by the transport; cover `Content-Digest`, which is that of the body"
        default: "isn't in the request; declare it, or write it in `coveringIfPresent`"
        }
    }

    private func value(
        of component: MessageComponent, _ target: RequestTarget
    ) throws(ComponentError) -> String {
        func error(_ reason: String) -> ComponentError {
            ComponentError(component: component, reason: reason)
        }
        if let host = request.value(forHTTPHeaderField: "Host"),
            ["@authority", "@target-uri"].contains(component.name),
            host.lowercased() != target.authority
        {
            throw error("differs from the header `Host`; remove this header")
        }
        switch component.name {
        case "@method": return request.method
        case "@target-uri": return target.uri
        case "@authority": return target.authority
        case "@scheme": return target.scheme
        case "@request-target": return target.path + target.query
        case "@path": return target.path
        case "@query": return target.query.isEmpty ? "?" : target.query
        default:
            let values = target.queryValues(of: component.queryName ?? "")
            guard let value = values.first
            else { throw error("isn't in the query; declare it, or leave it out") }
            guard values.count == 1 else {
                throw error("is in the query more than once; cover the whole `.query`")
            }
            return value
        }
    }

    private func value(
        of component: MessageComponent, _ field: String, isOfResponse: Bool,
        _ known: inout KnownDictionaries
    ) throws(ComponentError) -> String {
        func error(_ reason: String) -> ComponentError {
            ComponentError(component: component, reason: reason)
        }
        let field = field.trimmingBlanks
        guard field.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == .tab }) else {
            throw error(
                "has a control character or one that isn't ASCII, which can't be signed; escape it")
        }
        do {
            if component.parameters.contains(.bytes) {
                guard !isOfResponse else {
                    throw error("can't be read as bytes, as it isn't known which lines there were")
                }
                return try [
                    StructuredMember.item(StructuredItem(.bytes(Array(field.utf8))))
                ].serialized()
            }
            if let key = component.key {
                guard let members = known[field] else {
                    throw error("isn't a structured dictionary (RFC 9651); cover it without a key")
                }
                guard let member = members[key] else { throw error("has no member \(key.quoted)") }
                return try member.serialized()
            }
            guard component.parameters.contains(.structured) else { return field }
            guard let kind = component.kind else {
                throw error("is of a kind that isn't known; write `.field(…, as: .list)`")
            }
            guard let text = try kind.canonical(field)
            else { throw error("isn't a structured \(kind) (RFC 9651)") }
            return text
        } catch let failure as ComponentError { throw failure } catch {
            throw ComponentError(component: component, reason: "can't be written")
        }
    }
}

/// The dictionaries that a message's fields are. A server may have a long one covered member by
/// member, so each is read once.
private struct KnownDictionaries {
    private var members: [String: StructuredMap<StructuredMember>?] = [:]

    /// The dictionary that a field is; `nil` if it isn't one.
    subscript(field: String) -> StructuredMap<StructuredMember>? {
        mutating get {
            if let known = members[field] { return known }
            let read = StructuredMap<StructuredMember>(parsing: field)
            members[field] = .some(read)
            return read
        }
    }
}

extension MessageComponent.StructuredKind {
    /// The canonical form of a field; `nil` if it isn't of this kind.
    fileprivate func canonical(_ field: String) throws -> String? {
        switch self {
        case .item: try StructuredItem(parsing: field)?.serialized()
        case .list: try [StructuredMember](parsing: field)?.serialized()
        case .dictionary: try StructuredMap<StructuredMember>(parsing: field)?.serialized()
        }
    }
}

/// The parts of a URL as a signature has them: with all escapes, the scheme and the host in lower
/// case, without the usual port and without the fragment (RFC 9110, section 4.2.3).
struct RequestTarget {
    let scheme: String
    let authority: String
    /// The path; `/` if it is empty.
    let path: String
    /// The query with its `?`; empty if there is none.
    let query: String

    var uri: String { "\(scheme)://\(authority)\(path)\(query)" }

    /// `nil` if the URL isn't http or https, or has no host.
    init?(_ url: URL) {
        let text = url.absoluteString.prefix { $0 != "#" }
        guard Origin(of: url) != nil, let mark = text.range(of: "://") else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        var host = rest[..<end]
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            let port = host[colon...].dropFirst()
            let usual = scheme == "https" ? 443 : 80
            if port.isEmpty || Int(port) == usual { host = host[..<colon] }
        }
        authority = host.lowercased()
        let question = rest[end...].firstIndex(of: "?") ?? rest.endIndex
        path = end == question ? "/" : String(rest[end..<question])
        query = String(rest[question...])
    }

    /// The values of the query items of a name, escaped as forms are.
    fileprivate func queryValues(of name: String) -> [String] {
        query.dropFirst().split(separator: "&").compactMap { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.first.map(Self.reescaped) == name else { return nil }
            return parts.count == 2 ? Self.reescaped(parts[1]) : ""
        }
    }

    private static func reescaped(_ text: Substring) -> String {
        let bytes = PercentEncoding.decoded(text.replacingOccurrences(of: "+", with: " "))
        return String(decoding: bytes, as: UTF8.self).formEncoded
    }
}

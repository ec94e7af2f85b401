import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

/// A part of a message that a signature covers (RFC 9421, section 2).
///
///     let covered: [MessageComponent] = [.method, .targetURI, "Content-Type", .query("page")]
///     // ("@method" "@target-uri" "content-type" "@query-param";name="page")
///
/// A text is the name of a header, or the name of a derived component such as `"@method"`.
public struct MessageComponent: Hashable, Sendable {
    /// What a component has besides its name, in the order in which it is written.
    enum Parameter: Hashable, Sendable {
        case structured
        case key(String)
        case bytes
        case ofRequest
        case name(String)
    }

    /// What kind of structured field a header is (RFC 9651, section 3).
    public enum StructuredKind: Hashable, Sendable {
        /// One value with parameters.
        case item
        /// Values with commas between them.
        case list
        /// Values with names, such as `a=1, b=2`.
        case dictionary
    }

    /// The name: that of a header in lower case, or one that begins with `@`.
    let name: String
    private(set) var parameters: [Parameter] = []
    /// What kind of field the header is, for `sf`. It isn't a part of what is written.
    let kind: StructuredKind?

    init(name: String, _ parameters: [Parameter] = [], kind: StructuredKind? = nil) {
        self.name = name
        self.parameters = parameters
        self.kind = kind
    }

    /// The method, such as `GET`.
    public static let method = MessageComponent(name: "@method")
    /// The whole URL without its fragment, such as `https://api.example.com/users?page=2`.
    public static let targetURI = MessageComponent(name: "@target-uri")
    /// The host, and the port if it isn't the scheme's usual one.
    public static let authority = MessageComponent(name: "@authority")
    /// `https` or `http`.
    public static let scheme = MessageComponent(name: "@scheme")
    /// The path and the query, as they are sent.
    public static let requestTarget = MessageComponent(name: "@request-target")
    /// The path, with its escapes.
    public static let path = MessageComponent(name: "@path")
    /// The query with its `?`; `?` alone if there is none.
    public static let query = MessageComponent(name: "@query")
    /// The status of a response, such as `200`.
    public static let status = MessageComponent(name: "@status")

    /// One query item, by its name without escapes.
    ///
    ///     MessageComponent.query("page")   // "@query-param";name="page"
    ///
    /// The query must have one item of this name.
    public static func query(_ name: String) -> MessageComponent {
        MessageComponent(name: "@query-param", [.name(name.formEncoded)])
    }

    /// A header, as it is sent.
    public static func field(_ name: Headers) -> MessageComponent {
        MessageComponent(name: name.name.lowercased())
    }

    /// One member of a header that is a structured dictionary (`key`).
    ///
    ///     MessageComponent.field("Content-Digest", key: "sha-256")
    ///     // "content-digest";key="sha-256"
    public static func field(_ name: Headers, key: String) -> MessageComponent {
        MessageComponent(name: name.name.lowercased(), [.key(key)])
    }

    /// A header that is a structured field, in its canonical form (`sf`), so that a proxy may write
    /// it anew.
    ///
    ///     MessageComponent.field("Priority", as: .dictionary)   // "priority";sf
    public static func field(_ name: Headers, as kind: StructuredKind) -> MessageComponent {
        MessageComponent(name: name.name.lowercased(), [.structured], kind: kind)
    }

    /// A header as bytes (`bs`), for a value that no list can have, such as one with commas. For
    /// the header of a request only: of a response, it isn't known which lines there were.
    public static func bytes(_ name: Headers) -> MessageComponent {
        MessageComponent(name: name.name.lowercased(), [.bytes])
    }

    /// In the signature of a response, the same component of the request that it responds to
    /// (`req`).
    ///
    ///     MessageComponent.method.ofRequest   // "@method";req
    public var ofRequest: MessageComponent {
        var component = self
        if !parameters.contains(.ofRequest) { component.parameters.append(.ofRequest) }
        return component
    }

    /// Whether two components are the same, in whatever order their parameters are written.
    public static func == (left: MessageComponent, right: MessageComponent) -> Bool {
        left.name == right.name && Set(left.parameters) == Set(right.parameters)
    }

    /// Hashes the name and the parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(Set(parameters))
    }
}

extension MessageComponent: ExpressibleByStringLiteral {
    /// The name of a header, or of a derived component such as `@method`.
    public init(stringLiteral name: String) {
        self.init(name: name.lowercased())
    }
}

extension MessageComponent: CustomStringConvertible {
    /// The component as a signature has it, such as `"@method";req`.
    public var description: String { (try? item.serialized()) ?? name.quoted }
}

extension MessageComponent {
    private static let derived: Set = [
        "@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query",
        "@query-param", "@status",
    ]

    var isDerived: Bool { name.hasPrefix("@") }
    var isOfRequest: Bool { parameters.contains(.ofRequest) }

    var key: String? {
        for case .key(let key) in parameters { return key }
        return nil
    }

    var queryName: String? {
        for case .name(let name) in parameters { return name }
        return nil
    }

    /// The component as an item of a list.
    var item: StructuredItem {
        var item = StructuredItem(.string(name))
        for parameter in parameters {
            switch parameter {
            case .structured: item.parameters["sf"] = .boolean(true)
            case .key(let key): item.parameters["key"] = .string(key)
            case .bytes: item.parameters["bs"] = .boolean(true)
            case .ofRequest: item.parameters["req"] = .boolean(true)
            case .name(let name): item.parameters["name"] = .string(name)
            }
        }
        return item
    }

    /// Reads an item of a list of covered components; `nil` for one that isn't supported, such as
    /// one of a trailer (`tr`).
    /// - Parameter known: Components that say what kind of structured field a header is.
    init?(_ item: StructuredItem, kindsOf known: [MessageComponent]) {
        guard case .string(let name) = item.value, name == name.lowercased() else { return nil }
        var parameters: [Parameter] = []
        for (key, value) in item.parameters.entries {
            switch (key, value) {
            case ("sf", .boolean(true)): parameters.append(.structured)
            case ("bs", .boolean(true)): parameters.append(.bytes)
            case ("req", .boolean(true)): parameters.append(.ofRequest)
            case ("key", .string(let key)): parameters.append(.key(key))
            case ("name", .string(let name)): parameters.append(.name(name))
            default: return nil
            }
        }
        let kind = known.first { $0.name == name && $0.kind != nil }?.kind
        self.init(name: name, parameters, kind: kind ?? Self.registered[name])
        guard problem == nil else { return nil }
    }

    /// The kinds of headers that this library reads or writes.
    private static let registered: [String: StructuredKind] = [
        "content-digest": .dictionary, "repr-digest": .dictionary, "signature": .dictionary,
        "signature-input": .dictionary, "priority": .dictionary, "cache-status": .list,
        "proxy-status": .list, "want-content-digest": .dictionary,
        "want-repr-digest": .dictionary,
    ]

    /// Why no message can have this component; `nil` if one can.
    var problem: String? {
        if name == "@signature-params" {
            return "is a part of each signature; remove it from the components"
        }
        let own = parameters.filter { $0 != .ofRequest }
        if isDerived {
            guard Self.derived.contains(name) else { return "isn't a component that is known" }
            let isRight = name == "@query-param" ? queryName != nil && own.count == 1 : own.isEmpty
            if !isRight {
                return name == "@query-param"
                    ? "needs the name of a query item; write `.query(\"page\")`"
                    : "can't have parameters"
            }
            return nil
        }
        guard name.isFieldName else {
            return "isn't the name of a header; use letters, digits and `-`"
        }
        guard own.count <= 1 || Set(own) == [.structured, .key(key ?? "")], queryName == nil else {
            return "has parameters that exclude each other"
        }
        return nil
    }
}

extension String {
    /// Whether this is a token, as the name of a header is (RFC 9110, section 5.6.2).
    fileprivate var isFieldName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

import Endpoints
import Foundation

/// An error response in the format of RFC 9457, `application/problem+json`.
///
///     struct Credit: Decodable { let balance: Int }
///
///     struct Buy: RequestType {
///         static let endpoint = Endpoint<Self>(method: .post, path: "purchases")
///         typealias Response = Void
///         typealias ErrorResponse = ProblemDetails<Credit>
///     }
///     // {"title": "Out of credit", "status": 403, "balance": 30}
///     //   ->  title == "Out of credit", type == "about:blank", extensionMembers?.balance == 30
///
/// `Extension` declares the members that the API adds (section 3.2). If it adds none, declare
/// ``StandardProblemDetails``. Every JSON object can be decoded: a standard member of a wrong type
/// counts as missing (section 3.1). For an API that has other error bodies too, write an enum:
///
///     enum Failure: Decodable {
///         case problem(StandardProblemDetails), other(ServerError)
///
///         init(from decoder: any Decoder) throws {
///             let problem = try StandardProblemDetails(from: decoder)
///             let isProblem = problem.title != nil
///             self = isProblem ? .problem(problem) : .other(try ServerError(from: decoder))
///         }
///     }
public struct ProblemDetails<Extension: Decodable & Sendable>: Sendable {
    /// The type of the problem, for programs: a URI reference as the server sent it, or
    /// `about:blank` if the server sent none (RFC 9457, section 3.1.1).
    public let type: String
    /// The status, repeated for readers that have only the body (RFC 9457, section 3.1.2).
    public let status: Int?
    /// A summary of the type of problem (RFC 9457, section 3.1.3).
    public let title: String?
    /// An explanation of this occurrence of the problem (RFC 9457, section 3.1.4).
    public let detail: String?
    /// A URI reference for this occurrence, as the server sent it (RFC 9457, section 3.1.5).
    public let instance: String?
    /// The members that the API adds; `nil` if they can't be decoded as an `Extension`.
    public let extensionMembers: Extension?
    /// The members except `type`, `status`, `title`, `detail` and `instance`. At most 1,000 values
    /// are kept, nested ones included. In a member, a list or object inside 64 others is `null`.
    public let members: [String: JSONValue]
}

/// Problem details without an `Extension`: what the API adds is only in `members`.
public typealias StandardProblemDetails = ProblemDetails<EmptyResponse>

extension ProblemDetails: Equatable where Extension: Equatable {}
extension ProblemDetails: Hashable where Extension: Hashable {}

extension ProblemDetails: Decodable {
    /// Decodes the members of a JSON object.
    ///
    /// - Throws: An error if the value isn't an object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberName.self)
        func value<Value: Decodable>(_ name: String) -> Value? {
            try? container.decode(Value.self, forKey: MemberName(stringValue: name))
        }
        type = value("type") ?? "about:blank"
        status = value("status")
        title = value("title")
        detail = value("detail")
        instance = value("instance")
        extensionMembers = try? Extension(from: decoder)
        var reader = JSONReader()
        members = reader.members(
            of: container, except: ["type", "status", "title", "detail", "instance"])
    }
}

extension ProblemDetails: LocalizedError {
    /// The title and the detail, as the server wrote them. If both are missing, the text shows the
    /// type or, if that is empty or `about:blank`, says that title and detail are missing.
    ///
    /// The text of an ``EndpointTaskError`` shows this text.
    public var errorDescription: String? {
        let sentences = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }
        guard let first = sentences.first else {
            return ["about:blank", ""].contains(type)
                ? "the problem has no title or detail; check that the API sends problem details "
                    + "(RFC 9457)"
                : "a problem of type \(type), without a title; see the API's documentation"
        }
        let isEnded = first.last.map { ".!?:…".contains($0) } ?? true
        return sentences.joined(separator: isEnded ? " " : ". ")
    }
}

/// Any JSON value, for members without a declared type.
///
///     // {"accounts": ["/account/12345", null]}
///     let members: [String: JSONValue] = ["accounts": .array([.string("/account/12345"), .null])]
public enum JSONValue: Hashable, Sendable {
    /// `null`. It also stands for a value that ``ProblemDetails`` doesn't read: a number that
    /// doesn't fit in `Double`, or a list or object inside 64 others.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits in `Int`.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])
}

/// Decodes the values of ``ProblemDetails/members``, whatever their types.
///
/// At most 1,000 values are kept. In a member, a list or object inside 64 others is `null`. Without
/// these limits, a large error response would take long: each value is tried as one type after
/// another, and the decoder makes an error for each type that doesn't fit.
struct JSONReader {
    private var valuesLeft = 1000
    private var levelsLeft = 64

    mutating func value(_ decoder: any Decoder) -> JSONValue {
        valuesLeft -= 1
        guard let container = try? decoder.singleValueContainer(), !container.decodeNil()
        else { return .null }
        if let text = try? container.decode(String.self) { return .string(text) }
        if let number = try? container.decode(Int.self) { return .integer(number) }
        if let number = try? container.decode(Double.self) { return .number(number) }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        guard levelsLeft > 0 else { return .null }
        levelsLeft -= 1
        defer { levelsLeft += 1 }
        if let object = try? decoder.container(keyedBy: MemberName.self) {
            return .object(members(of: object))
        }
        return (try? decoder.unkeyedContainer()).map { .array(elements(of: $0)) } ?? .null
    }

    mutating func members(
        of object: KeyedDecodingContainer<MemberName>, except names: Set<String> = []
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for name in object.allKeys where valuesLeft > 0 && !names.contains(name.stringValue) {
            guard let member = try? object.superDecoder(forKey: name) else { continue }
            members[name.stringValue] = value(member)
        }
        return members
    }

    private mutating func elements(of list: any UnkeyedDecodingContainer) -> [JSONValue] {
        var (list, elements) = (list, [JSONValue]())
        while valuesLeft > 0, !list.isAtEnd, let element = try? list.superDecoder() {
            elements.append(value(element))
        }
        return elements
    }
}

struct MemberName: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

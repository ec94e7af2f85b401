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
/// `Extension` has the members that the API adds (section 3.2); ``StandardProblemDetails`` has
/// none. A standard member of the wrong type counts as missing (section 3.1), so every JSON object
/// can be decoded. If an API has other error bodies too, declare an enum:
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
    /// The type of the problem, for programs: a URI reference as the server sent it; `about:blank`
    /// if there is none (section 3.1.1).
    public let type: String
    /// The status, for readers that don't have the response (section 3.1.2).
    public let status: Int?
    /// A summary of the type of problem (section 3.1.3).
    public let title: String?
    /// An explanation of this occurrence (section 3.1.4).
    public let detail: String?
    /// A URI reference for this occurrence, as the server sent it (section 3.1.5).
    public let instance: String?
    /// The members that the API adds; `nil` if they can't be decoded as an `Extension`.
    public let extensionMembers: Extension?
    /// All members except the standard five.
    ///
    /// They are limited to the first 1,000 values and 64 levels.
    public let members: [String: JSONValue]
}

/// Problem details without members of a declared type.
public typealias StandardProblemDetails = ProblemDetails<EmptyResponse>

extension ProblemDetails: Equatable where Extension: Equatable {}
extension ProblemDetails: Hashable where Extension: Hashable {}

extension ProblemDetails: Decodable {
    /// Decodes the members of a JSON object.
    ///
    /// - Throws: An error if it isn't an object.
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
    /// The title and the detail, as the server wrote them; the type if it wrote neither.
    ///
    /// The text of an ``EndpointTaskError`` shows them.
    public var errorDescription: String? {
        let sentences = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }
        guard let first = sentences.first else {
            return "a problem of type \(type), without a description"
        }
        let isEnded = first.last.map { ".!?:…".contains($0) } ?? true
        return sentences.joined(separator: isEnded ? " " : ". ")
    }
}

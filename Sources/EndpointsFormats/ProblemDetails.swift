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
        var reader = MemberReader()
        members = reader.members(
            of: container, except: ["type", "status", "title", "detail", "instance"])
    }
}

extension ProblemDetails: LocalizedError {
    /// The title and the detail. If both are missing, the text shows the type or, if that is empty
    /// or `about:blank`, says that title and detail are missing.
    ///
    /// Of each, at most 500 characters are shown, with spaces for control characters and line
    /// breaks. A detail in which the name of a secret stands as a word is left out, as is a title
    /// that gives a value to such a name: `{"title": "No", "detail": "token: t0k3n"}` is `No`.
    /// The text of an ``EndpointTaskError`` shows this text.
    public var errorDescription: String? {
        var masking = LoadPolicy.default.masking()
        let texts = [title, detail].compactMap(\.self).filter { !$0.isEmpty }
        // A title is the same for each problem of its type, so it may speak of a token.
        let shownTitle = title.map { masking.header($0) }
        let shownDetail = detail.flatMap { masking.body(Array($0.utf8), "text/plain").bytes }
            .map { String(decoding: $0, as: UTF8.self) }
        let sentences = [shownTitle, shownDetail].compactMap { $0?.shown }
            .filter { !["", "…"].contains($0) }
        guard let first = sentences.first else {
            let isTyped = !["about:blank", ""].contains(type)
            let name = isTyped ? "a problem of type \(masking.header(type).shown)" : nil
            guard texts.isEmpty else {
                return "\(name ?? "the problem"), whose text has the name of a secret and isn't "
                    + "shown; read its `detail`"
            }
            return name.map { "\($0), without a title; see the API's documentation" }
                ?? "the problem has no title or detail; check that the API sends problem details "
                + "(RFC 9457)"
        }
        let isEnded = first.last.map { ".!?:…".contains($0) } ?? true
        return sentences.joined(separator: isEnded ? " " : ". ")
    }
}

extension String {
    /// The beginning of a server's text on one line, without characters that control a terminal.
    fileprivate var shown: String {
        let isCut =
            utf8.count > 500 && index(startIndex, offsetBy: 500, limitedBy: endIndex) != endIndex
        var scalars = String.UnicodeScalarView()
        for scalar in prefix(500).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        return String(scalars) + (isCut ? "…" : "")
    }
}

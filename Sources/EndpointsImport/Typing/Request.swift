import EndpointsDocuments

/// The declaration of an operation.
struct Request {
    /// A value of the request: a parameter, a field of a form, or the body.
    struct Value {
        let name: String
        var type: SwiftType
        var isRequired: Bool
        var standard: JSON?
        var constant: JSON?
        var comment: String?
        var isDeprecated = false
        /// The model that has the value as a member, if it is another one's: what is nested there
        /// is named with it.
        var owner: Model?
        /// Where the document has the value: `query page`, or `body`.
        var source = "body"
    }

    /// A declared parameter or header: `.query("page", path: \.page)`.
    struct Item: Hashable {
        /// The text before the path of the value.
        var before: Written
        /// The name of the value; `nil` if the text is the same in each request.
        var value: String?
        var after: Written = ""
        /// The header's name, if it is a header with a value.
        var header: String?

        var text: Written { "\(before)\(value.map { "\\.\(.member($0))" } ?? "")\(after)" }
    }

    let name: String
    let operation: Operation
    let scope: Scope
    var values: [Value] = []
    /// The text of the path, as it stands between the quotes.
    var path: Written = ""
    var parameters: [Item] = []
    var headers: [Item] = []
    var response = Response.void
    /// Whether the response is a text or bytes in JSON, which the library would read as they are.
    var readsJSON = false
    /// The type of the error responses, if it isn't the one of all requests.
    var error: SwiftType?
    var redirects = false
    /// Whether the status and the headers say something that the body doesn't.
    var hasHTTPResponse = false
    var paging: Paging?
    /// Whether it has a body that `URLSession` doesn't send.
    var hasUnsentBody = false

    enum Response {
        case void
        case type(SwiftType)
        /// Another type for each status; `nil` for an empty body.
        case statuses([Status])
        /// `EventStream<Item>` and so on; the name, and the items.
        case stream(Written, SwiftType?)

        struct Status {
            let code: String
            let name: String
            var type: SwiftType?
        }

        func map(_ change: (SwiftType) -> SwiftType) -> Response {
            switch self {
            case .void: .void
            case .statuses(let all):
                .statuses(
                    all.map { Status(code: $0.code, name: $0.name, type: $0.type.map(change)) })
            case .type(let type): .type(change(type))
            case .stream(let name, let item): .stream(name, item.map(change))
            }
        }

        var types: [SwiftType] {
            switch self {
            case .void: []
            case .statuses(let all): all.compactMap(\.type)
            case .type(let type): [type]
            case .stream(_, let item): item.map { [$0] } ?? []
            }
        }
    }
}

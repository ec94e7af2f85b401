/// Why a response can't be read, if the reason isn't a decoder's error.
enum UnreadableContent: ReasonedError {
    /// There is no content, but the type needs some.
    case none
    case unknownCharset
    /// Text that isn't valid in the response's charset.
    case malformed
    /// A part of the content, in response to a request without a `Range`.
    case partial

    var reason: String {
        switch self {
        case .none: "there is no content; declare the Response as an optional or as Void"
        case .unknownCharset:
            "the charset is not supported; declare the Response as Data and decode it yourself"
        case .malformed:
            "the text is not valid in its charset, which is UTF-8 unless Content-Type names another"
                + "; declare the Response as Data and decode it yourself"
        case .partial: "the server sent a part of the content, but the request has no `Range`"
        }
    }
}

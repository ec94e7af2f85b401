/// Why the content of a response could not be read, where it isn't a decoder that says so.
enum UnreadableContent: ReasonedError {
    /// There is none where one was promised.
    case none
    /// Text in a charset that isn't known.
    case unknownCharset
    /// Text that isn't in the charset that the response names.
    case malformed

    var reason: String {
        switch self {
        case .none: "it has no content; declare an optional Response, or Void"
        case .unknownCharset: "its charset is not known; declare a Data response and decode it"
        case .malformed:
            "it is not text in its charset, which is UTF-8 unless Content-Type names one"
        }
    }
}

/// Why a response can't be read, if no decoder reports it.
enum UnreadableContent: ReasonedError {
    /// There is no content, but the type needs some.
    case none
    /// Text in a charset that isn't supported.
    case unknownCharset
    /// Text that isn't valid in the response's charset.
    case malformed

    var reason: String {
        switch self {
        case .none: "it has no content; declare an optional Response or Void"
        case .unknownCharset:
            "its charset is not supported; declare a Data response and decode it yourself"
        case .malformed:
            "it is not valid text in its charset, which is UTF-8 unless Content-Type names another"
        }
    }
}

/// The library's own reasons why the content of a response can't be read.
package enum UnreadableContent: ReasonedError {
    /// There is no content, but the response type needs some.
    case none
    case unknownCharset
    /// Text that isn't valid in the response's charset.
    case malformed

    package var reason: String {
        switch self {
        case .none: "there is no content; declare the Response as an optional or as Void"
        case .unknownCharset:
            "the charset is not supported; declare Data instead of String and decode it yourself"
        case .malformed:
            "the text is not valid in its charset (UTF-8 unless the response names another); "
                + "declare Data instead of String and decode it yourself"
        }
    }
}

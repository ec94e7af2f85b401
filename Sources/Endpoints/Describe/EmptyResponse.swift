/// No content. A response of this type isn't read, and a request body of this type isn't sent.
///
/// If a server sends content anyway, the content is ignored.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes an empty response.
    public init() {}

    /// Reads nothing from the decoder.
    public init(from decoder: any Decoder) {}
}

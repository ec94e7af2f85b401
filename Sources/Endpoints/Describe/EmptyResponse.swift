/// No content. A response of this type isn't read, and a request body of this type isn't sent.
///
/// Any bytes are a valid empty response.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes an empty response.
    public init() {}

    /// Reads nothing from the decoder.
    public init(from decoder: any Decoder) {}
}

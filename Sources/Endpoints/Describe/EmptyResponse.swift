/// A response that isn't read, or a request without a body.
///
/// It decodes from any bytes.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes an empty response.
    public init() {}

    /// Reads nothing from the decoder.
    public init(from decoder: any Decoder) {}
}

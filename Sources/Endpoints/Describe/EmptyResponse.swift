/// Nothing: an answer that is not read, an error without a body, or a request without one.
///
/// It decodes from whatever the server sends.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Nothing.
    public init() {}

    /// Nothing, whatever the decoder holds.
    public init(from decoder: any Decoder) {}
}

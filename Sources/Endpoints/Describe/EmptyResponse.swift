/// The type of a response whose body isn't read, and of the body of a request that sends none.
///
/// Any bytes are a valid empty response.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes an empty response.
    public init() {}

    /// Reads nothing from the decoder.
    public init(from decoder: any Decoder) {}
}

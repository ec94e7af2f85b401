/// A partial update's change to a member: keep it, clear it or set it.
///
///     struct ProfileChange: Encodable {
///         var nickname: Change<String> = .keep
///         var birthday: Change<Date> = .keep
///     }
///     // ProfileChange()                    ->  {}
///     // ProfileChange(nickname: .clear)    ->  {"nickname":null}
///     // ProfileChange(nickname: .set("A")) ->  {"nickname":"A"}
///
/// A JSON merge patch leaves out a member to keep it and sends `null` to remove it (RFC 7396,
/// section 1). In a list and as a whole body nothing can be left out, so `keep` is an
/// `EncodingError` there.
public enum Change<Value> {
    /// The member is left out, so that the server keeps its value.
    case keep
    /// The member is sent as `null`, so that the server removes its value.
    case clear
    /// The member is sent with a value.
    case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension Change: Encodable where Value: Encodable {
    /// Encodes the value, or `null`; throws for `keep`, which only an object can leave out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .keep:
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "Only a member of an object can be kept."))
        case .clear: try container.encodeNil()
        case .set(let value): try container.encode(value)
        }
    }
}

extension KeyedEncodingContainer {
    /// Encodes a change as a member: `keep` leaves it out, `clear` writes `null`.
    ///
    /// The `encode(to:)` that Swift synthesizes for your type calls this for its changes.
    public mutating func encode<Value: Encodable>(_ change: Change<Value>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}

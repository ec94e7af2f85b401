import Endpoints

/// What a partial update does to a member: keep it, clear it or set it.
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
/// section 1). A form has no `null`: `clear` is sent as `nickname=`, and so is `set` with an empty
/// text, list or dictionary. `keep` works only for a property of type `Change<Value>` inside a
/// value that is encoded, such as the body. In a list, in a dictionary, in an optional, as a whole
/// body and as a whole parameter, it throws an ``UnrepresentableValue``.
public enum Change<Value> {
    /// The member is left out, so that the server keeps its value.
    case keep
    /// The member is sent as `null` (in a form, as an empty text), so the server removes its value.
    case clear
    /// The member is sent with a value.
    case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension Change: Encodable where Value: Encodable {
    /// Encodes the value of `set`, or `null` for `clear`. Throws for `keep`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .keep:
            throw UnrepresentableValue(
                """
                `Change.keep` works only for a property of type `Change<Value>` inside an encoded \
                value, not in an optional, a list or a dictionary, nor as a whole body or \
                parameter; use another value here
                """,
                at: encoder.codingPath)
        case .clear: try container.encodeNil()
        case .set(let value): try container.encode(value)
        }
    }
}

extension KeyedEncodingContainer {
    /// Encodes a change as a member: `keep` leaves it out, `clear` writes `null`, and `set` writes
    /// its value.
    ///
    /// The `encode(to:)` that Swift synthesizes calls this for each property that is a `Change`.
    public mutating func encode<Value: Encodable>(_ change: Change<Value>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(SetValue(value: value), forKey: key)
        }
    }
}

/// The value of `set`. It is a ``FormChange``, so that a form writes an empty value as `name=`.
private struct SetValue<Value: Encodable>: Encodable, FormChange {
    let value: Value

    package var change: Change<any Encodable> { .set(value) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// A change of any type. A form's encoder writes `clear` and a `set` to an empty value as `name=`.
package protocol FormChange {
    var change: Change<any Encodable> { get }
}

extension Change: FormChange where Value: Encodable {
    package var change: Change<any Encodable> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(value)
        }
    }
}

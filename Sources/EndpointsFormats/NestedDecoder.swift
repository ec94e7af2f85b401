import Endpoints
import Foundation

/// Decodes the value under one or more keys of a larger value.
///
///     static let responseDecoder = JSONDecoder().below("data", "user")
///     // {"data": {"user": {"id": 1}}}  ->  User(id: 1)
///
/// Errors name the whole place, such as `data.user.id`.
public struct NestedDecoder<Base: DecoderType>: NestingDecoder {
    /// The decoder that reads the larger value.
    public let base: Base
    /// The keys that lead to the value, the outermost first.
    public let keys: [String]

    /// The media type that the `base` decoder reads.
    public var contentType: MIMEType? { base.contentType }

    /// Decodes the value under the keys.
    ///
    /// - Throws: What ``base`` throws; a `DecodingError` if a key is missing.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try InnerKey.$paths.withValue([keys] + InnerKey.paths) {
            try base.decode(InnerValue<Value>.self, from: data).value
        }
    }
}

extension NestingDecoder {
    /// The innermost `base`, and all keys that lead to the part.
    package var whole: (decoder: any DecoderType, keys: [String]) {
        guard let base = base as? any NestingDecoder else { return (base, keys) }
        let (decoder, outer) = base.whole
        return (decoder, outer + keys)
    }
}

extension NestedDecoder: Sendable where Base: Sendable {}

extension DecoderType {
    /// Makes a decoder of the value that is found under the keys, the outermost key first.
    ///
    ///     static let responseDecoder = JSONDecoder().below("data", "user")
    ///
    /// Write a key as the decoder's key strategy converts it: with `.convertFromSnakeCase`, write
    /// `userInfo` for `user_info`. Error responses are decoded without the keys, unless the request
    /// declares an `errorDecoder` that has keys too.
    public func below(_ key: String, _ keys: String...) -> NestedDecoder<Self> {
        NestedDecoder(base: self, keys: [key] + keys)
    }
}

/// Decodes the value under the first of ``InnerKey/paths``.
private struct InnerValue<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let paths = InnerKey.paths
        var container = try decoder.container(keyedBy: InnerKey.self)
        guard var keys = paths.first?.map(InnerKey.init(stringValue:)), let last = keys.popLast()
        else { throw LostKeys() }
        for key in keys {
            try container.checkKey(key)
            container = try container.nestedContainer(keyedBy: InnerKey.self, forKey: key)
        }
        try container.checkKey(last)
        value = try InnerKey.$paths.withValue(Array(paths.dropFirst())) {
            try container.decode(Value.self, forKey: last)
        }
    }
}

extension KeyedDecodingContainer<InnerKey> {
    /// Throws for a key such as `data.items` that is missing, if there are keys `data` and `items`,
    /// and for an empty key that is missing.
    fileprivate func checkKey(_ key: InnerKey) throws {
        if key.stringValue.isEmpty, !contains(key) { throw EmptyKey() }
        guard key.stringValue.contains("."), !contains(key) else { return }
        let keys = key.stringValue.split(separator: ".").map { InnerKey(stringValue: "\($0)") }
        var inner = self
        for key in keys.dropLast() {
            guard let next = try? inner.nestedContainer(keyedBy: InnerKey.self, forKey: key)
            else { return }
            inner = next
        }
        guard let last = keys.last, inner.contains(last) else { return }
        throw DottedKey(key: key.stringValue, keys: keys.map(\.stringValue))
    }
}

private struct DottedKey: LocalizedError {
    let key: String
    let keys: [String]

    var errorDescription: String? {
        let keys = keys.map(\.quoted).joined(separator: ", ")
        return "there is no key \(key.quoted), but its parts are keys; write `below(\(keys))`"
    }
}

private struct EmptyKey: LocalizedError {
    let errorDescription: String? =
        "`below(…)` has an empty key; write the key that the value is under"
}

private struct LostKeys: LocalizedError {
    let errorDescription: String? = """
        the keys of `below(…)` are lost on another thread; use a decoder that decodes on the \
        thread that calls it
        """
}

/// A key that the program gives to ``NestedDecoder``. The texts of errors may show it. They don't
/// show a key that a server may have sent, because it may be secret.
struct InnerKey: DeclaredKey {
    /// The keys of each ``NestedDecoder`` that is still to decode, the innermost decoder first:
    /// `[["a"], ["b"]]` for `.below("a").below("b")`. They can't be passed to
    /// `InnerValue.init(from:)`, whose only argument is a decoder.
    @TaskLocal static var paths: [[String]] = []

    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

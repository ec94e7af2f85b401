import Endpoints
import Foundation

/// One call of a ``FormEncoder``.
final class FormRun {
    let encoder: FormEncoder
    /// The first error of a method that can't throw, such as `container(keyedBy:)`.
    private(set) var failure: UnrepresentableValue?

    init(_ encoder: FormEncoder) {
        self.encoder = encoder
    }

    func fail(_ failure: UnrepresentableValue) {
        if self.failure == nil { self.failure = failure }
    }
}

/// The `Encoder` that is passed to a value's own `encode(to:)`. It writes the value into a node.
struct FormValueEncoder {
    /// How deep values may be nested. Without a limit, a recursive value would overflow a thread's
    /// stack, which may be 512 KB. Servers need fewer levels: PHP reads only 64.
    private static let depthLimit = 128

    let run: FormRun
    var node = FormNode()
    var codingPath: [any CodingKey] = []
    private var depth = 0

    init(run: FormRun) {
        self.run = run
    }

    /// The encoder for a value inside this encoder's value. If this encoder is already beyond
    /// ``depthLimit``, the run has failed, and what the new encoder writes is thrown away.
    func encoder(of node: FormNode, _ key: (any CodingKey)?) -> FormValueEncoder {
        var inner = self
        if depth > Self.depthLimit {
            inner.node = FormNode()
            return inner
        }
        inner.node = node
        inner.depth += 1
        if let key { inner.codingPath.append(key) }
        if inner.depth > Self.depthLimit { run.fail(inner.tooDeep) }
        return inner
    }

    func write(_ value: some Encodable) throws {
        if depth > Self.depthLimit { throw tooDeep }
        switch value {
        case let date as Date: try write(date)
        case let data as Data: try write(data)
        case let text as any FormText: try write(text)
        case let change as any FormChange: try write(change.change, of: value)
        default: try value.encode(to: self)
        }
    }

    private func write(_ date: Date) throws {
        let strategy = run.encoder.dateEncodingStrategy
        if case .custom(let encode) = strategy { return try encode(date, self) }
        try put { try strategy.text(of: date) }
    }

    private func write(_ data: Data) throws {
        switch run.encoder.dataEncodingStrategy {
        case .base64: try put { data.base64EncodedString() }
        case .custom(let encode): try encode(data, self)
        }
    }

    private func write(_ text: any FormText) throws {
        try put { try text.formText(run.encoder) }
    }

    private func write(_ change: Change<any Encodable>, of value: some Encodable) throws {
        switch change {
        case .keep: try value.encode(to: self)
        case .clear: node.content = .text("")
        case .set(let newValue):
            try write(newValue)
            if node.isEmpty { node.content = .text("") }
        }
    }

    private func put(_ makeText: () throws -> String?) throws {
        guard case .nothing = node.content else { throw twice }
        let text = try UnrepresentableValue.naming(codingPath, makeText)
        node.content = text.map { .text($0) } ?? .nothing
    }
}

extension UnrepresentableValue {
    /// Calls a function. If the function throws, the error also says where the value is.
    static func naming<Text>(
        _ codingPath: [any CodingKey], _ makeText: () throws -> Text
    ) throws -> Text {
        do { return try makeText() } catch {
            throw UnrepresentableValue(error.safeReason, at: codingPath)
        }
    }
}

extension FormValueEncoder {
    private var tooDeep: UnrepresentableValue {
        let reason = "values are nested more than \(Self.depthLimit) levels deep; flatten them"
        return UnrepresentableValue(reason, at: codingPath.prefix(3))
    }

    private var twice: UnrepresentableValue {
        let reason =
            "an `encode(to:)` or a custom strategy writes two values here; let it write only one"
        return UnrepresentableValue(reason, at: codingPath)
    }
}

extension FormValueEncoder: Encoder {
    var userInfo: [CodingUserInfoKey: Any] { run.encoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedContainer<Key>(encoder: self, object: object(type)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(encoder: self, list: list)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func object(_ keyType: any CodingKey.Type) -> FormObject {
        if case .object(let object) = node.content { return object }
        let object = FormObject(keyType: ObjectIdentifier(keyType))
        begin(.object(object))
        return object
    }

    private var list: FormList {
        if case .list(let list) = node.content { return list }
        let list = FormList()
        begin(.list(list))
        return list
    }

    private func begin(_ content: FormNode.Content) {
        guard case .nothing = node.content else { return run.fail(twice) }
        node.content = content
    }
}

extension FormValueEncoder: SingleValueEncodingContainer {
    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoder(of: node, nil).write(value)
    }
}

/// A value that is written as one text in a form, without a call of its `encode(to:)`.
///
/// Strings, numbers and `Bool` conform, and so do `Decimal` and `URL`, whose `encode(to:)` writes
/// something other than their text. A custom type is encoded by its `encode(to:)`, even if it is
/// ``PathRepresentable`` too.
protocol FormText: PathRepresentable {
    /// The text of the value; `nil` writes nothing.
    func formText(_ encoder: FormEncoder) throws -> String?
}

extension FormText {
    func formText(_ encoder: FormEncoder) throws -> String? { try pathRepresentation }
}

extension String: FormText {}
extension Int: FormText {}
extension Int8: FormText {}
extension Int16: FormText {}
extension Int32: FormText {}
extension Int64: FormText {}
extension UInt: FormText {}
extension UInt8: FormText {}
extension UInt16: FormText {}
extension UInt32: FormText {}
extension UInt64: FormText {}
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: FormText {}
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: FormText {}
extension Double: FormText {}
extension Float: FormText {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    extension Float16: FormText {}
#endif
extension Decimal: FormText {}
extension URL: FormText {}

extension Bool: FormText {
    func formText(_ encoder: FormEncoder) -> String? {
        switch encoder.boolEncodingStrategy {
        case .literal: self ? "true" : "false"
        case .numeric: self ? "1" : "0"
        }
    }
}

extension FormEncoder.DateEncodingStrategy {
    /// The text of a date; `nil` for `.custom`, whose function encodes it.
    func text(of date: Date) throws -> String? {
        // For a date outside the years 0000–9999, this throws even if the strategy writes no year.
        let text = try date.pathRepresentation
        let seconds = date.timeIntervalSince1970
        let milliseconds = Int64((seconds * 1000).rounded())
        switch self {
        case .rfc3339: return text
        case .iso8601:
            return try Date(timeIntervalSince1970: seconds.rounded(.down)).pathRepresentation
        case .millisecondsSince1970: return "\(milliseconds)"
        case .secondsSince1970 where milliseconds % 1000 == 0: return "\(milliseconds / 1000)"
        case .secondsSince1970: return "\(Double(milliseconds) / 1000)"
        case .custom: return nil
        }
    }
}

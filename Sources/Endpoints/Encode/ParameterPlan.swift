import Foundation

/// The query items or the form fields of an endpoint, prepared once for all requests: names are
/// escaped, and the way to read each value is chosen.
package struct ParameterPlan: Sendable {
    /// An item without its value. It has no string or array, whose reference counting takes time.
    private struct Item: Sendable {
        /// The item's `&name=` in ``beginnings``.
        let beginning: Range<Int>
        let style: ParameterStyle
        /// Whether the item stands for several, whose names are known only at run time.
        let isContents: Bool
    }

    private let items: [Item]
    /// `&name=` of each item, escaped; `&name` for a `queryName`, and `&=` for `contentsOf:`.
    private let beginnings: [UInt8]
    private let values: ValueReader
    private let escaping: Escaping
    private let field: @Sendable (String) -> EndpointError.Field

    private let names: [String]
    let fields: [EndpointError.Field]
    /// The approximate number of bytes that the items need.
    let capacity: Int

    package var isEmpty: Bool { items.isEmpty }
    package var sources: [ValueSource] { values.sources }

    var valueProblems: [Problem] {
        names.indices.compactMap { index in
            let field = fields[index]
            if let problem = values[index].problem(in: field) { return problem }
            let style = items[index].style
            guard [.pipeSeparated, .spaceSeparated].contains(style),
                case .success(.several(let texts))? = values[index].constant
            else { return nil }
            do { _ = try texts.joined(by: style) } catch {
                return .error(FieldError(field, unrepresentableBecauseOf: error))
            }
            return nil
        }
    }

    /// The problems of names that are empty or declared twice.
    var nameProblems: [Problem] {
        // Names are compared as bytes, as on servers. `String` ignores how an accent is written.
        var seen: [[UInt8]: Int] = [:]
        return zip(names, items).compactMap { name, item in
            guard !item.isContents else { return nil }
            let count = seen[Array(name.utf8), default: 0] + 1
            seen[Array(name.utf8)] = count
            if count == 2 {
                let reason = "is declared twice; remove one, or declare one that sends an array"
                return .warning(FieldError(field(name), reason))
            }
            guard name.isEmpty && count == 1 else { return nil }
            return .warning(FieldError(field(name), "has no name; give it one"))
        }
    }

    init<Root>(queryItemsOf parameters: ParameterList<Root>) {
        self.init(parameters.declared(.query, .queryName, .queryItems), .query) { .query($0) }
    }

    init<Root>(formFieldsOf parameters: ParameterList<Root>) {
        self.init(parameters.declared(.form, .formItems), .form) { .form($0) }
    }

    private init(
        _ parameters: [DeclaredParameter], _ escaping: Escaping,
        _ field: @escaping @Sendable (String) -> EndpointError.Field
    ) {
        self.escaping = escaping
        self.field = field
        names = parameters.map(\.name)
        fields = parameters.map { $0.isContents ? .property($0.name) : field($0.name) }
        values = ValueReader(parameters.map(\.source))
        var bytes = Bytes()
        items = parameters.map { parameter in
            let start = bytes.count
            bytes.append(UInt8(ascii: "&"))
            if !parameter.isContents { bytes.append(parameter.name, escaping) }
            if parameter.kind != .queryName { bytes.append(UInt8(ascii: "=")) }
            return Item(
                beginning: start..<bytes.count, style: parameter.style,
                isContents: parameter.isContents)
        }
        beginnings = bytes.array
        capacity = bytes.count + 32 * items.count
    }

    /// Appends `&name=value` for each value that isn't `nil`, or `&name` for a `queryName`. A list
    /// is written in its ``ParameterStyle``, and texts with keys as `&name[key]=value`, escaped.
    /// For `contentsOf:`, the key is the whole name.
    func append(_ request: BorrowedValues, to bytes: inout Bytes) throws(FieldError) {
        for index in items.indices {
            switch try texts(index, request) {
            case .one(let text?):
                bytes.append(items[index].beginning, of: beginnings)
                bytes.appendFast(text, escaping)
            case .one(nil):
                break
            case .several(let texts):
                try append(texts, index, to: &bytes)
            case .keyed(let fields):
                for (keys, text) in fields {
                    let suffix = items[index].isContents ? keys.joined() : keys.inBrackets
                    append(text, index, suffix: suffix, to: &bytes)
                }
            }
        }
    }

    @inline(__always)
    private func texts(
        _ index: Int, _ request: BorrowedValues
    ) throws(FieldError) -> ParameterTexts {
        do { return try values.texts(index, in: request) } catch { throw fieldError(error, index) }
    }

    private func fieldError(_ error: any Error, _ index: Int) -> FieldError {
        guard items[index].isContents, let error = error as? FieldError,
            case .query(let name) = error.field
        else { return FieldError(fields[index], unrepresentableBecauseOf: error) }
        return FieldError(field(name), error.reason, cause: error.cause)
    }

    private func append(
        _ texts: [String], _ index: Int, to bytes: inout Bytes
    ) throws(FieldError) {
        switch items[index].style {
        case .repeated:
            for text in texts { append(text, index, suffix: "", to: &bytes) }
        case .brackets:
            for text in texts { append(text, index, suffix: "[]", to: &bytes) }
        case .commaSeparated:
            guard let first = texts.first else { return }
            append(first, index, suffix: "", to: &bytes)
            for text in texts.dropFirst() {
                bytes.append(UInt8(ascii: ","))
                bytes.append(text, escaping)
            }
        case .pipeSeparated, .spaceSeparated:
            guard !texts.isEmpty else { return }
            let text: String
            do { text = try texts.joined(by: items[index].style) } catch {
                throw FieldError(fields[index], unrepresentableBecauseOf: error)
            }
            append(text, index, suffix: "", to: &bytes)
        }
    }

    private func append(_ text: String, _ index: Int, suffix: String, to bytes: inout Bytes) {
        bytes.append(items[index].beginning.dropLast(), of: beginnings)
        bytes.append(suffix, escaping)
        bytes.append(UInt8(ascii: "="))
        bytes.append(text, escaping)
    }
}

import Foundation

/// The query items or the form fields of an endpoint, prepared once for all requests: names are
/// escaped, and the way to read each value is chosen.
struct ParameterPlan: Sendable {
    /// An item without its value. It has no string or array, whose reference counting takes time.
    private struct Item: Sendable {
        /// The item's `&name=` in ``beginnings``.
        let beginning: Range<Int>
        let style: ParameterStyle
        /// Whether the item stands for several, whose names are known only at run time.
        let isContents: Bool
    }

    private var items: [Item] = []
    /// `&name=` of each item, escaped; `&name` for a `queryFlag`, and `&=` for `contentsOf:`.
    private let beginnings: [UInt8]
    private let values: ValueReader
    private let escaping: Escaping
    private let isForm: Bool

    /// The items as errors call them; `.property` for `contentsOf:`.
    private(set) var fields: [EndpointError.Field] = []
    /// The approximate number of bytes that the items need.
    let capacity: Int

    var isEmpty: Bool { items.isEmpty }
    var sources: [ValueSource] { values.sources }
    /// The parameters as they are declared.
    let parameters: [DeclaredParameter]

    init(queryItemsOf parameters: [DeclaredParameter]) {
        self.init(
            parameters.filter { [.query, .queryFlag, .queryItems].contains($0.kind) },
            isForm: false)
    }

    init(formFieldsOf parameters: [DeclaredParameter]) {
        self.init(parameters.filter { [.form, .formItems].contains($0.kind) }, isForm: true)
    }

    private init(_ parameters: [DeclaredParameter], isForm: Bool) {
        self.isForm = isForm
        self.parameters = parameters
        escaping = isForm ? .form : .query
        values = ValueReader(parameters.map(\.source))
        var bytes = Bytes()
        for parameter in parameters {
            let (name, start) = (parameter.name, bytes.count)
            bytes.append(UInt8(ascii: "&"))
            if !parameter.isContents { bytes.append(name, escaping) }
            if parameter.kind != .queryFlag { bytes.append(UInt8(ascii: "=")) }
            items.append(
                Item(
                    beginning: start..<bytes.count, style: parameter.style,
                    isContents: parameter.isContents))
            fields.append(parameter.isContents ? .property(name) : Self.field(name, isForm))
        }
        beginnings = bytes.array
        capacity = bytes.count + 32 * items.count
    }

    private static func field(_ name: String, _ isForm: Bool) -> EndpointError.Field {
        isForm ? .form(name) : .query(name)
    }

    /// Finds the errors that every request would have, whatever its values.
    @inline(never)
    func check(_ errors: inout DeclarationErrors) {
        for index in items.indices {
            errors.check { () throws(FieldError) in try checkValue(index) }
        }
    }

    private func checkValue(_ index: Int) throws(FieldError) {
        try values[index].check(as: fields[index])
        guard case .success(.several(let texts))? = values[index].constant else { return }
        switch items[index].style {
        case .pipeSeparated, .spaceSeparated: _ = try joined(texts, index)
        case .repeated, .commaSeparated, .brackets: break
        }
    }

    /// Appends `&name=value` for each value that isn't `nil`, or `&name` for a `queryFlag`. A list
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
        return FieldError(Self.field(name, isForm), error.reason, cause: error.cause)
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
            append(try joined(texts, index), index, suffix: "", to: &bytes)
        }
    }

    private func joined(_ texts: [String], _ index: Int) throws(FieldError) -> String {
        do { return try texts.joined(by: items[index].style) } catch {
            throw FieldError(fields[index], unrepresentableBecauseOf: error)
        }
    }

    private func append(_ text: String, _ index: Int, suffix: String, to bytes: inout Bytes) {
        bytes.append(items[index].beginning.dropLast(), of: beginnings)
        bytes.append(suffix, escaping)
        bytes.append(UInt8(ascii: "="))
        bytes.append(text, escaping)
    }
}

/// Reads the values of a path, of parameters or of headers from each request.
struct ValueReader: Sendable {
    let sources: [ValueSource]
    /// For each value, the property that is read directly from memory (see ``BorrowedValues``);
    /// `nil` if only the value's ``ValueSource`` can read it. That takes longer, because using a
    /// ``ValueSource`` counts references to objects.
    private let stored: [StoredProperty?]

    init(_ sources: [ValueSource]) {
        self.sources = sources
        stored = sources.map(\.stored)
    }

    var count: Int { sources.count }

    subscript(index: Int) -> ValueSource { sources[index] }

    @inline(__always)
    func texts(_ index: Int, in values: BorrowedValues) throws -> ParameterTexts {
        if let stored = stored[index] { return try stored.read(values) }
        return try sources[index].texts(in: values)
    }
}

extension ParameterTexts {
    @inline(__always)
    var text: String? {
        if case .one(let text) = self { text } else { nil }
    }
}

import Foundation

/// Those parameters of an endpoint that are parts of a multipart form.
package struct PartPlan: Sendable {
    private let items: [DeclaredParameter]

    init(_ parameters: [DeclaredParameter]) {
        items = parameters.filter { $0.kind == .part }
    }

    package var isEmpty: Bool { items.isEmpty }
    package var names: [String] { items.map(\.name) }
    package var sources: [ValueSource] { items.map(\.source) }

    /// Throws the first error that every request would have, whatever its values.
    func check() throws(FieldError) {
        for index in items.indices { try checkPart(index) }
    }

    @inline(never)
    package func checkPart(_ index: Int) throws(FieldError) {
        let item = items[index]
        let field = EndpointError.Field.part(item.name)
        if let reason = item.name.reasonInMultipart { throw FieldError(field, "has \(reason)") }
        if item.source.isSecret { throw .secret(field) }
        do { _ = try item.source.constant?.get().parts(item.name, item.style) } catch {
            throw FieldError(field, unrepresentableBecauseOf: error)
        }
    }

    func form(of values: BorrowedValues) throws(FieldError) -> MultipartForm {
        var parts: [MultipartForm.Part] = []
        for item in items {
            let (files, texts) = try content(of: item, values)
            for file in files { parts.append(try MultipartForm.Part(item.name, file)) }
            for (name, text) in texts {
                parts.append(
                    try MultipartForm.Part(
                        checking: name, fileName: nil, item.source.contentType,
                        .data(Data(text.utf8))))
            }
        }
        return try MultipartForm(checking: Multipart([]).boundary, parts)
    }

    private func content(
        of item: DeclaredParameter, _ values: BorrowedValues
    ) throws(FieldError) -> (files: [File], texts: [(name: String, text: String)]) {
        do {
            if let files = try item.source.files(in: values) { return (files, []) }
        } catch {
            throw FieldError(
                .part(item.name), "can't be sent as a file: \(error.safeReason)", cause: error)
        }
        do {
            return ([], try item.source.texts(in: values).parts(item.name, item.style))
        } catch {
            throw FieldError(.part(item.name), unrepresentableBecauseOf: error)
        }
    }
}

extension ParameterTexts {
    /// The names and texts of the parts that one parameter makes.
    fileprivate func parts(
        _ name: String, _ style: ParameterStyle
    ) throws -> [(name: String, text: String)] {
        switch self {
        case .one(let text):
            return text.map { [(name, $0)] } ?? []
        case .several(let texts):
            switch style {
            case .repeated: return texts.map { (name, $0) }
            case .brackets: return texts.map { (name + "[]", $0) }
            case .commaSeparated, .pipeSeparated, .spaceSeparated:
                return texts.isEmpty ? [] : [(name, try texts.joined(by: style))]
            }
        case .keyed(let fields):
            return fields.map { (name + $0.keys.inBrackets, $0.text) }
        }
    }
}

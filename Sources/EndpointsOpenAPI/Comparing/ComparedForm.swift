import Endpoints
import EndpointsDocuments

/// The fields of a form, or the parts of a multipart form, as the schema of a body and its
/// `encoding` describe them (OpenAPI 3.1, "Encoding Object").
struct ComparedForm {
    /// The schema of the fields, which has the members of an object in its place if they are fields
    /// of their own.
    private(set) var schema: Node?
    /// How fields are written, for the text of a difference, where OpenAPI defines it.
    private(set) var forms: [String: String] = [:]

    init(_ media: Node, isMultipart: Bool, in document: ComparedDocument) {
        schema = media["schema"]
        guard let node = schema else { return }
        let whole = document.schema(node)
        var (fields, required, isChanged) = (JSON.Members(), whole.required, false)
        for (name, node) in whole.properties.sorted(by: { $0.key < $1.key }) {
            let field = Field(node, media["encoding"]?[name], isMultipart, document)
            if field.isSpread {
                isChanged = true
                if required.remove(name) != nil { required.formUnion(field.schema.required) }
                for member in field.schema.properties.sorted(by: { $0.key < $1.key }) {
                    fields.set(member.key, member.value.json)
                }
            } else if field.isList, !field.hasNestedElements, field.style?.name == "deepObject" {
                isChanged = true
                if required.remove(name) != nil { required.insert("\(name)[]") }
                fields.set("\(name)[]", node.json)
            } else {
                fields.set(name, node.json)
                forms[name] = field.form
            }
        }
        guard isChanged else { return }
        var changed = JSON.Members()
        changed.set("type", .string("object"))
        changed.set("properties", .object(fields))
        changed.set("required", .array(required.sorted().map(JSON.string)))
        if let additional = whole.additional {
            changed.set("additionalProperties", additional.json)
        }
        schema = Node(.object(changed), at: node.pointer.appending("fields"))
    }

    private struct Field {
        let schema: ComparedSchema
        let items: ComparedSchema?
        /// The style, beside which a media type is ignored. A file has none, and a part has none in
        /// version 3.0.
        var style: Style?
        private let mediaType: String?
        private let isFile: Bool
        private let isMultipart: Bool

        init(_ node: Node, _ encoding: Node?, _ isMultipart: Bool, _ document: ComparedDocument) {
            schema = document.schema(node)
            items = schema.items.map(document.schema)
            isFile = [node, schema.items].contains { $0.map(document.isFile) == true }
            mediaType = encoding?["contentType"]?.text?.split(separator: ",").first.map(String.init)
            self.isMultipart = isMultipart
            let hasStyle = ["style", "explode", "allowReserved"].contains { encoding?[$0] != nil }
            guard hasStyle, !isFile, !(isMultipart && document.document.isVersion30) else { return }
            style = Style(of: encoding, in: "query")
        }

        var isList: Bool { schema.types == ["array"] }
        private var isObject: Bool { schema.types == ["object"] }

        /// Whether this is a list of lists or objects, whose fields are `name[0][member]`.
        var hasNestedElements: Bool {
            let types = items?.types ?? []
            return isList && !types.isEmpty && types.isSubset(of: ["array", "object"])
        }

        /// Whether the members are fields of their own.
        var isSpread: Bool {
            isObject && !schema.properties.isEmpty && style == Style("form", explodes: true)
        }

        var form: String? {
            guard !isFile, isList || isObject || schema.types == ["string"] else { return nil }
            if let style { return isList || isObject ? style.form : "as text" }
            if let mediaType {
                return MIMEType(rawValue: mediaType).essence.isJSON ? "in JSON" : nil
            }
            if !isList, !isObject { return "as text" }
            let types = items?.types ?? []
            if isList, !types.isEmpty, types.isDisjoint(with: ["array", "object"]) {
                return "in an item each"
            }
            return isMultipart && (isObject || hasNestedElements) ? "in JSON" : nil
        }
    }
}

extension ComparedDocument {
    /// Whether a value is sent as a file: bytes, or a text of another media type.
    fileprivate func isFile(_ node: Node) -> Bool {
        guard let schema = try? document.schema(node) else { return false }
        return ["binary", "byte", "base64"].contains(self.schema(node).format)
            || schema["contentMediaType"] != nil || schema["contentEncoding"] != nil
    }
}

import Endpoints
import EndpointsFormats

/// An operation of a document.
struct DocumentOperation: Sendable {
    let method: String
    let path: String
    /// The paths of the servers' URLs.
    let basePaths: [String]
    let node: JSONValue
    /// The parameters of all operations of the path.
    let shared: [JSONValue]
    /// Whether headers are sent that the operation doesn't name.
    var hasOtherHeaders = false
    /// The names of the server's headers, in lower case.
    var environmentHeaders: Set<String> = []

    /// The names of the path's values, in their order.
    var pathNames: [String] {
        path.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
            part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }

    /// The names of the items of a query that stands in the path itself.
    var constantNames: [String] {
        var names: [String] = []
        var rest = path[...]
        while let start = rest.firstIndex(where: { $0 == "?" || $0 == "&" }) {
            let name = rest[start...].dropFirst().prefix { !"=&#".contains($0) }
            if !name.isEmpty { names.append(String(name)) }
            rest = rest[name.endIndex...]
        }
        return names
    }

    /// The parameters at a place, with those of the whole path.
    func parameters(_ place: String, _ root: JSONValue) -> [DocumentParameter] {
        let own = (node["parameters"]?.elements ?? []).map { $0.resolved(in: root) }
        let names = Set(own.map { [$0["in"]?.text, $0["name"]?.text] })
        let inherited = shared.map { $0.resolved(in: root) }.filter {
            !names.contains([$0["in"]?.text, $0["name"]?.text])
        }
        return (inherited + own).filter { $0["in"]?.text == place }.flatMap {
            DocumentParameter.all($0, in: root)
        }
    }

    /// The names of the parameters at a place that have credentials.
    func keyNames(_ place: String, _ root: JSONValue) -> [String] {
        let schemes = root["components"]?["securitySchemes"]?.members ?? [:]
        return schemes.values.map { $0.resolved(in: root) }.filter { $0["in"]?.text == place }
            .compactMap { $0["name"]?.text }
    }
}

/// A parameter of a document.
struct DocumentParameter {
    var name: String
    var isRequired: Bool
    let schema: JSONValue?
    /// How a list or an object is written.
    private var style = ""
    private var explodes = true
    /// Whether the value is written as the media type of `content` is.
    private var isContent = false
    /// Whether the value is an object whose members are parameters of any name.
    private(set) var isOpen = false

    /// A parameter; several for an object whose members are parameters of their own.
    static func all(_ node: JSONValue, in root: JSONValue) -> [DocumentParameter] {
        guard let name = node["name"]?.text else { return [] }
        let content = node["content"]?.members?.values.first?["schema"]
        var parameter = DocumentParameter(
            name: name, isRequired: node["required"]?.isTrue == true,
            schema: content ?? node["schema"])
        parameter.isContent = content != nil
        parameter.style = node["style"]?.text ?? "form"
        parameter.explodes = node["explode"].map(\.isTrue) ?? (parameter.style == "form")
        guard node["in"]?.text == "query", content == nil, parameter.style == "form",
            parameter.explodes
        else { return [parameter] }
        let shape = SchemaShape(node["schema"] ?? .free, in: root)
        guard shape.types == ["object"] else { return [parameter] }
        parameter.isOpen = shape.isOpen
        parameter.isRequired = false
        let members = shape.properties.sorted { $0.key < $1.key }.map { member in
            DocumentParameter(
                name: member.key,
                isRequired: node["required"]?.isTrue == true
                    && shape.required.contains(member.key), schema: member.value)
        }
        return members + (parameter.isOpen ? [parameter] : [])
    }

    private init(name: String, isRequired: Bool, schema: JSONValue?) {
        (self.name, self.isRequired, self.schema) = (name, isRequired, schema)
    }

    var isDeep: Bool { style == "deepObject" }

    var isConstant: Bool { schema?["enum"] != nil && schema?["type"] == nil }

    /// Whether this is a list of lists or objects, for which OpenAPI defines no text ("Style
    /// Values"): what a program sends for one can't be compared.
    func hasElementsWithoutText(_ root: JSONValue) -> Bool {
        guard !isContent, let items = SchemaShape(schema ?? .free, in: root).items else {
            return false
        }
        let types = SchemaShape(items, in: root).types
        return !types.isEmpty && types.isSubset(of: ["array", "object"])
    }

    var inLowercase: DocumentParameter {
        var parameter = self
        parameter.name = name.lowercased()
        return parameter
    }

    /// How a list is written, for the text of a difference.
    var listText: String {
        switch (style, explodes) {
        case ("spaceDelimited", _): "separated by spaces"
        case ("pipeDelimited", _): "separated by pipes"
        case (_, false): "separated by commas"
        default: "in an item each"
        }
    }
}

import EndpointsDocuments

/// An operation of a document that is compared with another one.
struct ComparedOperation {
    let operation: Operation
    /// The paths of the servers' URLs.
    let basePaths: [String]
    /// Whether headers are sent that the operation doesn't name.
    var hasOtherHeaders = false
    /// What the servers send; `nil` if no server is known.
    var server: ServerFields?

    var node: Node { operation.node }
    var path: String { operation.path }
    var method: String {
        operation.method == operation.method.lowercased()
            ? operation.method.uppercased() : operation.method
    }

    /// The names of the path's values, in their order.
    var pathNames: [String] {
        path.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
            part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }

    /// The path with the characters that the values' styles put before them: `/a/{id}` of the style
    /// `label` is `/a/.{id}`.
    func styledPath(in document: Document) -> String {
        parameters(at: "path").reduce(path) { path, parameter in
            guard let name = parameter["name"]?.text else { return path }
            let style = Style(of: parameter, in: "path")
            let prefix =
                switch style.name {
                case "label": "."
                case "matrix": style.explodes && isObject(parameter, document) ? ";" : ";\(name)="
                default: ""
                }
            return prefix.isEmpty
                ? path : path.replacingOccurrences(of: "{\(name)}", with: "\(prefix){\(name)}")
        }
    }

    private func isObject(_ parameter: Node, _ document: Document) -> Bool {
        let shape = parameter["schema"].flatMap { try? document.shape(of: $0) }
        return shape.map { $0.types == ["object"] || !$0.properties.isEmpty } ?? false
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

    private func parameters(at place: String) -> [Node] {
        operation.parameters.filter { $0["in"]?.text == place }
    }

    /// The parameters at a place, with those of the whole path.
    func parameters(_ place: String, _ document: ComparedDocument) -> [ComparedParameter] {
        parameters(at: place).flatMap { ComparedParameter.all($0, in: document) }
    }
}

/// The names of the headers, and of the query items, that a server sends with each request.
struct ServerFields: Sendable {
    /// In lower case.
    var headers: Set<String> = []
    var items: Set<String> = []
}

/// A parameter of a document.
struct ComparedParameter {
    var name: String
    var isRequired: Bool
    let schema: Node?
    /// How a list or an object is written.
    private var style = Style("form", explodes: true)
    /// Whether the value is written as the media type of `content` is.
    private var isContent = false
    /// Whether the value is an object whose members are parameters of any name.
    private(set) var isOpen = false

    /// A parameter; several for an object whose members are parameters of their own.
    static func all(_ node: Node, in document: ComparedDocument) -> [ComparedParameter] {
        guard let name = node["name"]?.text, let place = node["in"]?.text else { return [] }
        let content = node["content"]?.allMembers.first?.node["schema"]
        var parameter = ComparedParameter(
            name: name, isRequired: node["required"]?.isTrue == true,
            schema: content ?? node["schema"])
        parameter.isContent = content != nil
        parameter.style = Style(of: node, in: place)
        guard place == "query", content == nil, parameter.style == Style("form", explodes: true),
            let schema = node["schema"].map(document.schema), schema.types == ["object"]
        else { return [parameter] }
        parameter.isOpen = schema.isOpen
        parameter.isRequired = false
        let members = schema.properties.sorted { $0.key < $1.key }.map { member in
            ComparedParameter(
                name: member.key,
                isRequired: node["required"]?.isTrue == true
                    && schema.required.contains(member.key), schema: member.value)
        }
        return members + (parameter.isOpen ? [parameter] : [])
    }

    private init(name: String, isRequired: Bool, schema: Node?) {
        (self.name, self.isRequired, self.schema) = (name, isRequired, schema)
    }

    var isDeep: Bool { style.name == "deepObject" }

    var isConstant: Bool { schema?["enum"] != nil && schema?["type"] == nil }

    /// Whether this is a list of lists or objects, for which OpenAPI defines no text ("Style
    /// Values"): what a program sends for one can't be compared.
    func hasElementsWithoutText(_ document: ComparedDocument) -> Bool {
        guard !isContent, let items = schema.flatMap({ document.schema($0).items }) else {
            return false
        }
        let all = document.variants(of: items).map(\.types)
        return all.allSatisfy { !$0.isEmpty && $0.isSubset(of: ["array", "object"]) }
    }

    var inLowercase: ComparedParameter {
        var parameter = self
        parameter.name = name.lowercased()
        return parameter
    }

    /// Whether a list is one text, as in `a,b`.
    var isTextOfList: Bool { !isContent && !style.explodes && style.name != "deepObject" }

    /// How a list or an object in a query is written, for the text of a difference.
    var form: String { isContent ? "in JSON" : style.form }
}

extension Style {
    /// How a list or an object in a query or a form is written, for the text of a difference.
    var form: String {
        switch (name, explodes) {
        case ("deepObject", _): "in brackets"
        case (_, true): "in an item each"
        case ("spaceDelimited", _): "separated by spaces"
        case ("pipeDelimited", _): "separated by pipes"
        default: "separated by commas"
        }
    }
}

import Endpoints
import EndpointsDocuments
import EndpointsFormats
import Foundation

/// An API's OpenAPI document, written from declarations or read from a file.
///
///     let document = OpenAPIDocument(of: GetUser.self, ListUsers.self)
///     #expect(try document.differences(from: OpenAPIDocument(contentsOf: file)).isEmpty)
///
/// From declarations alone it is known which methods, paths, parameters and bodies are sent. What a
/// `Response`, an `ErrorResponse` and a `Body` consist of is learned by decoding them from made-up
/// values, and by encoding these. `unprobed` names the types for which that isn't possible.
///
/// Not in the document are what a hook such as ``RequestType/prepare(_:)`` adds, the common headers
/// and those of the server, the status of a response, the credentials, the constants with the name
/// of a secret, and texts for readers.
public struct OpenAPIDocument: Sendable {
    /// The document.
    public let json: JSONValue
    /// The types whose members aren't known, because they can't be decoded from made-up values, or
    /// because they decode in several ways. In the document they are any value.
    public let unprobed: [String]
    /// The document as it is read and compared.
    let root: JSON
    /// What is declared, also several requests of the same method and path; `nil` for a document
    /// that was read.
    let declared: [ExportedOperation]?

    /// Makes the document of request types, in version 3.1 of OpenAPI.
    ///
    /// It has version 3.2 if a request has a method that 3.1 doesn't know. Of several requests with
    /// the same method and path, the document has the first, with the parameters of the others.
    /// - Parameters:
    ///   - requests: The types of the requests.
    ///   - title: The title of the API.
    ///   - version: The version of the API.
    ///   - servers: The servers. ``differences(from:includingUndeclared:)`` counts their headers as
    ///     sent.
    public init(
        of requests: any RequestType.Type..., title: String = "API", version: String = "1",
        servers: [any EnvironmentType] = []
    ) {
        self.init(of: requests, title: title, version: version, servers: servers)
    }

    /// Makes the document of a list of request types.
    public init(
        of requests: [any RequestType.Type], title: String = "API", version: String = "1",
        servers: [any EnvironmentType] = []
    ) {
        let components = SchemaComponents()
        let known = ExportedServers(servers)
        let exported = requests.map { $0.exported(components, known) }
        let (schemas, name) = components.named()
        var document = DocumentWriter(title: title, version: version)
        document.add(servers: servers.map(\.baseUrl))
        for operation in exported { document.add(operation.mapped(name)) }
        json = document.json(schemas)
        unprobed = components.unprobed.sorted()
        root = JSON(json)
        declared = exported.map { $0.mapped(name) }
    }

    /// A document that was read.
    init(read root: JSON) {
        (self.root, json, unprobed, declared) = (root, JSONValue(root), [], nil)
    }

    /// The operations as they are compared.
    func operations(in document: Document) -> [ComparedOperation] {
        if let declared { return declared.enumerated().map { $1.compared($0) } }
        let servers = document.root["servers"]
        return document.readOperations().compactMap { try? $0.operation.get() }
            .map { operation in
                ComparedOperation(
                    operation: operation,
                    basePaths: (operation.servers ?? servers)?.elements.map(\.basePath) ?? [])
            }
    }

    /// The document as JSON with sorted keys.
    public var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(json)
        }
    }
}

/// Puts operations together to a document.
struct DocumentWriter {
    private var paths: [String: [String: JSONValue]] = [:]
    private var servers: [JSONValue] = []
    private let info: JSONValue
    private var isOfVersion2 = false

    /// The methods that a path item has members for in OpenAPI 3.1.
    private static let methods: Set = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace",
    ]

    init(title: String, version: String) {
        info = .object(["title": .string(title), "version": .string(version)])
    }

    mutating func add(servers urls: [URL]) {
        servers = urls.map { .object(["url": .string(SecretNames.usual.masked($0))]) }
    }

    mutating func add(_ operation: ExportedOperation) {
        var item = paths[operation.path] ?? [:]
        let method = operation.method.lowercased()
        let isKnown = Self.methods.contains(method)
        var others = item["additionalOperations"]?.members ?? [:]
        let first = isKnown ? item[method] : others[operation.method]
        let merged = first.map { operation.merged(into: $0) } ?? operation.json
        if isKnown {
            item[method] = merged
        } else {
            others[operation.method] = merged
            item["additionalOperations"] = .object(others)
            isOfVersion2 = true
        }
        paths[operation.path] = item
    }

    func json(_ schemas: [String: JSONValue]) -> JSONValue {
        var document: [String: JSONValue] = [
            "openapi": .string(isOfVersion2 ? "3.2.0" : "3.1.0"), "info": info,
            "paths": .object(paths.mapValues(JSONValue.object)),
        ]
        if !servers.isEmpty { document["servers"] = .array(servers) }
        if !schemas.isEmpty { document["components"] = .object(["schemas": .object(schemas)]) }
        return .object(document)
    }
}

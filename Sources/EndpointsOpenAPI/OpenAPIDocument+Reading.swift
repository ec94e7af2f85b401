import EndpointsFormats
import Foundation

extension OpenAPIDocument {
    /// Reads a document in JSON, of OpenAPI 3.0, 3.1 or 3.2.
    ///
    /// - Throws: An ``OpenAPIDocumentError`` that says what is wrong and what to do.
    public init(contentsOf url: URL) throws {
        do { try self.init(data: try Data(contentsOf: url)) } catch let error
            as OpenAPIDocumentError
        {
            throw OpenAPIDocumentError("\(url.lastPathComponent): \(error.description)")
        } catch {
            throw OpenAPIDocumentError("\(url.path) can't be read: \(error.localizedDescription)")
        }
    }

    /// Reads a document in JSON, of OpenAPI 3.0, 3.1 or 3.2.
    ///
    /// - Throws: An ``OpenAPIDocumentError`` that says what is wrong and what to do.
    public init(data: Data) throws {
        let json: JSONValue
        do { json = try JSONDecoder().decode(JSONValue.self, from: data) } catch {
            throw OpenAPIDocumentError(
                Self.isYAML(data)
                    ? """
                    the document is YAML, and only JSON is read; convert it first, for example by \
                    `yq -o=json . api.yaml > api.json`
                    """ : "the document isn't JSON")
        }
        guard json.members != nil else {
            throw OpenAPIDocumentError("the document must be an object")
        }
        guard json["swagger"] == nil else {
            throw OpenAPIDocumentError(
                """
                the document is Swagger 2.0; convert it to OpenAPI 3 first, for example by \
                `npx swagger2openapi api.json -o api3.json`
                """)
        }
        guard let version = json["openapi"]?.text else {
            throw OpenAPIDocumentError("the document has no version `openapi`")
        }
        guard ["3.0", "3.1", "3.2"].contains(where: version.hasPrefix) else {
            throw OpenAPIDocumentError(
                "the document's version \(version) isn't known; known are 3.0, 3.1 and 3.2")
        }
        guard json["paths"] == nil || json["paths"]?.members != nil else {
            throw OpenAPIDocumentError("`paths` must be an object")
        }
        self.init(json)
    }

    private static func isYAML(_ data: Data) -> Bool {
        let lines = String(decoding: data.prefix(4096), as: UTF8.self).split(separator: "\n")
        let line = lines.first { !$0.hasPrefix("#") && !$0.hasPrefix("---") }
        return line?.first?.isLetter == true && line?.contains(":") == true
    }

    private init(_ json: JSONValue) {
        self.json = json
        unprobed = []
        operations = (json["paths"]?.members ?? [:]).sorted { $0.key < $1.key }.flatMap {
            Self.operations($0.value.resolved(in: json), $0.key, json)
        }
    }

    private static let methods = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ]

    private static func operations(
        _ item: JSONValue, _ path: String, _ root: JSONValue
    ) -> [DocumentOperation] {
        let shared = item["parameters"]?.elements ?? []
        let others = item["additionalOperations"]?.members ?? [:]
        let all =
            methods.compactMap { method in item[method].map { (method.uppercased(), $0) } }
            + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return all.map { method, node in
            let servers = node["servers"] ?? item["servers"] ?? root["servers"]
            return DocumentOperation(
                method: method, path: path,
                basePaths: (servers?.elements ?? []).map(basePath), node: node, shared: shared)
        }
    }

    /// The path of a server's URL, with the defaults of its variables.
    private static func basePath(_ server: JSONValue) -> String {
        var url = server["url"]?.text ?? ""
        for (name, variable) in server["variables"]?.members ?? [:] {
            url = url.replacingOccurrences(of: "{\(name)}", with: variable["default"]?.text ?? "")
        }
        if let scheme = url.range(of: "://") {
            url = String(url[scheme.upperBound...].drop { $0 != "/" })
        }
        return url
    }
}

/// Why an OpenAPI document could not be read.
public struct OpenAPIDocumentError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsOpenAPI.OpenAPIDocumentError`.
    public static var errorDomain: String { "EndpointsOpenAPI.OpenAPIDocumentError" }

    /// What is wrong and what to do.
    public let description: String
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// The `description`, for an `NSError` made from this error. On Linux, such an `NSError` gets
    /// its texts only from this property.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    init(_ description: String) { self.description = description }
}

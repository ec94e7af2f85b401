import EndpointsDocuments
import EndpointsFormats
import Foundation

extension OpenAPIDocument {
    /// Reads a document in JSON, of OpenAPI 3.0, 3.1 or 3.2.
    ///
    /// - Throws: An ``OpenAPIDocumentError`` that says what is wrong and what to do.
    public init(contentsOf url: URL) throws {
        guard url.isFileURL else {
            throw OpenAPIDocumentError(
                """
                the URL of the document is not a file URL; write URL(fileURLWithPath: path), or \
                load the document and pass its bytes, as in OpenAPIDocument(data: data)
                """)
        }
        do { try self.init(data: try Data(contentsOf: url)) } catch let error
            as OpenAPIDocumentError
        {
            throw OpenAPIDocumentError("\(url.lastPathComponent): \(error.description)")
        } catch {
            throw OpenAPIDocumentError(
                """
                \(url.path) can't be read; check that it is a file, and that the program has \
                permission to read it
                """)
        }
    }

    /// Reads a document in JSON, of OpenAPI 3.0, 3.1 or 3.2.
    ///
    /// - Throws: An ``OpenAPIDocumentError`` that says what is wrong and what to do.
    public init(data: Data) throws {
        let document: Document
        do { document = try Document(data) } catch let error as DocumentError {
            throw OpenAPIDocumentError(error)
        }
        if let fault = document.faults.first { throw OpenAPIDocumentError(fault) }
        self.init(read: document.root.json)
    }
}

extension Node {
    /// The path of a server's URL, with the defaults of its variables.
    var basePath: String {
        var url = self["url"]?.text ?? ""
        for (name, variable) in self["variables"]?.allMembers ?? [] {
            url = url.replacingOccurrences(of: "{\(name)}", with: variable["default"]?.text ?? "")
        }
        if let scheme = url.range(of: "://") {
            url = String(url[scheme.upperBound...].drop { $0 != "/" })
        }
        return url
    }
}

extension JSON {
    /// The same value, its members by their names.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let number): self = .number("\(number)")
        case .number(let number): self = .number("\(number)")
        case .decimal(let number): self = .number("\(number)")
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(JSON.init))
        case .object(let members):
            var all = Members()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                all.set(name, JSON(value))
            }
            self = .object(all)
        }
    }
}

extension JSONValue {
    /// The same value. A number that doesn't fit in `Double` is `null`.
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let text):
            let number = Double(text) ?? .infinity
            self =
                Int(text).map(JSONValue.integer) ?? Int(exactly: number).map(JSONValue.integer)
                ?? (number.isFinite ? JSONValue(number, Decimal(string: text)) : .null)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(JSONValue.init))
        case .object(let members):
            self = .object(
                Dictionary(members.list.map { ($0.name, JSONValue($0.value)) }) { $1 })
        }
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

    init(_ error: DocumentError) {
        let isWhole = error.pointer == "#"
        description =
            !isWhole
            ? error.description
            : error.reason.hasPrefix("must") ? "the document \(error.reason)" : error.reason
    }
}

import Endpoints
import EndpointsFormats
import EndpointsStreams
import EndpointsOpenAPI
import Foundation
import Testing

/// A type, and the schema that a probe has to find.
struct ProbeCase: CustomTestStringConvertible, Sendable {
    let type: any (Decodable & SendableMetatype).Type
    let schema: String
    var isProbed = true
    var testDescription: String { "\(type)" }

    init(
        _ type: any (Decodable & SendableMetatype).Type, _ schema: String, isProbed: Bool = true
    ) {
        (self.type, self.schema, self.isProbed) = (type, schema, isProbed)
    }
}

@Suite("Documents of declarations")
struct DocumentExportTests {
    struct Get<Response: Decodable>: FlatRequest {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "things") }
    }

    /// The schema of a response, and the types that couldn't be probed.
    static func response<Value: Decodable>(_ type: Value.Type) -> (JSONValue, [String]) {
        let document = OpenAPIDocument(of: Get<Value>.self)
        let content = document.json.at("paths", "/things", "get", "responses", "2XX", "content")
        let schema = content.at("application/json", "schema")
        guard let name = schema.at("$ref").string?.split(separator: "/").last else {
            return (schema, document.unprobed)
        }
        return (document.json.at("components", "schemas", String(name)), document.unprobed)
    }

    @Test(
        "The schema of a response is what its type asks a decoder for",
        arguments: [
            ProbeCase(Int.self, #"{"type": "integer"}"#),
            ProbeCase(
                [String: Double?].self,
                ##"""
                {"type": "object", "additionalProperties": {"type": ["number", "null"]}}
                """##),
            ProbeCase(
                Probed.Plain.self,
                ##"""
                {"type": "object", "required": ["id", "list"], "properties": {
                    "id": {"type": "integer"}, "name": {"type": "string"},
                    "url": {"type": "string", "format": "uri"},
                    "list": {"type": "array", "items": {"$ref": "#/components/schemas/Probed.Plain"}}}}
                """##),
            ProbeCase(Probed.Mood.self, #"{"type": "string", "enum": ["calm", "very_hungry"]}"#),
            ProbeCase(Probed.Level.self, #"{"type": "integer", "enum": [3, 4, 9]}"#),
            ProbeCase(Probed.Only.self, #"{"type": "string", "enum": ["one"]}"#),
            ProbeCase(Probed.OpenMood.self, #"{"type": "string"}"#),
            ProbeCase(Probed.Email.self, #"{"type": "string"}"#),
            ProbeCase(
                Probed.HasEmail.self,
                ##"""
                {"type": "object", "required": ["email", "last"],
                 "properties": {"email": {"type": "string"}, "last": {"type": "boolean"}}}
                """##),
            ProbeCase(
                Probed.IntOrText.self, #"{"anyOf": [{"type": "integer"}, {"type": "string"}]}"#),
            ProbeCase(
                Probed.Tree.self,
                ##"""
                {"anyOf": [{"type": "integer"},
                           {"type": "array", "items": {"$ref": "#/components/schemas/Probed.Tree"}}]}
                """##),
            ProbeCase(Probed.Pair.self, #"{"type": "array", "items": {"type": "integer"}}"#),
            ProbeCase(
                Probed.Nested.self,
                ##"""
                {"type": "object", "required": ["data"], "properties": {
                    "data": {"type": "object", "required": ["name"],
                             "properties": {"name": {"type": "string"}}}}}
                """##),
            ProbeCase(
                Probed.Null.self,
                ##"""
                {"type": "object", "required": ["name"],
                 "properties": {"name": {"type": ["string", "null"]}}}
                """##),
            ProbeCase(JSONValue.self, "{}"),
            ProbeCase(Probed.Odd.self, "{}", isProbed: false),
            ProbeCase(Probed.Keys.self, "{}", isProbed: false),
            ProbeCase(Probed.Cases.self, "{}", isProbed: false),
        ])
    func schemas(of probe: ProbeCase) throws {
        let (schema, unprobed) = Self.response(probe.type)
        #expect(try schema == JSONValue(json: probe.schema))
        #expect(unprobed == (probe.isProbed ? [] : ["Probed.\(probe.type)"]))
    }

    // MARK: - Coders

    struct Coded<Value: Codable>: FlatRequest {
        var body: Value
        static var endpoint: Endpoint<Self> { Endpoint(method: .put, path: "things") }
        static var bodyEncoder: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.dateEncodingStrategy = .iso8601
            return encoder
        }
        static var responseDecoder: NestedDecoder<JSONDecoder> {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .secondsSince1970
            return decoder.below("innerData")
        }
        typealias Response = Value
    }

    @Test("Names and dates are those of the request's coders, also below other keys")
    func coders() throws {
        let document = OpenAPIDocument(of: Coded<Probed.Dated>.self)
        let operation = document.json.at("paths", "/things", "put")
        let response = operation.at("responses", "2XX", "content", "application/json", "schema")
        let body = operation.at("requestBody", "content", "application/json", "schema")
        #expect(
            try response
                == JSONValue(
                    json: ##"""
                        {"type": "object", "required": ["inner_data"], "properties":
                            {"inner_data": {"$ref": "#/components/schemas/Probed.Dated"}}}
                        """##))
        #expect(try body == JSONValue(json: ##"{"$ref": "#/components/schemas/Probed.Dated2"}"##))
        let schemas = document.json.at("components", "schemas")
        #expect(
            [("Probed.Dated", "number"), ("Probed.Dated2", "string")].map {
                schemas.at($0.0, "properties", "born_at", "type") == .string($0.1)
            } == [true, true])
    }

    // MARK: - Bodies that can't be decoded

    /// What a calculator is sent: each sum may be in another one, which it keeps elsewhere.
    enum Sum: Encodable {
        case number(Int), minus(Minus)
        struct Minus: Encodable { let minus: Elsewhere }
        indirect enum Elsewhere: Encodable {
            case value(Sum)
            func encode(to encoder: any Encoder) throws {
                switch self {
                case .value(let sum): try sum.encode(to: encoder)
                }
            }
        }
        func encode(to encoder: any Encoder) throws {
            switch self {
            case .number(let number): try number.encode(to: encoder)
            case .minus(let minus): try minus.encode(to: encoder)
            }
        }
    }

    struct PutSum: FlatRequest {
        struct Body: Encodable { let sum: Sum }
        let body: Body
        static var endpoint: Endpoint<Self> { Endpoint(method: .put, path: "sum") }
        typealias Response = Void
    }

    @Test("The schema of a body that is only Encodable has what its indirect cases keep")
    func encodableIndirect() throws {
        let document = OpenAPIDocument(of: PutSum.self)
        #expect(document.unprobed == [])
        let text = try #require(String(data: document.data, encoding: .utf8))
        #expect(text.contains("\"minus\""), "\(text)")
    }

    @Test("The schema of a body that is only Encodable is what it writes")
    func encodable() throws {
        let document = OpenAPIDocument(of: Put<Probed.Draft>.self)
        #expect(document.unprobed == [])
        let schemas = document.json.at("components", "schemas")
        #expect(
            try schemas.at("Probed.Draft")
                == JSONValue(
                    json: ##"""
                        {"type": "object", "required": ["mood", "part", "title"], "properties": {
                            "title": {"type": "string"}, "count": {"type": "integer"},
                            "mood": {"type": "string", "enum": ["calm", "very_hungry"]},
                            "part": {"$ref": "#/components/schemas/Probed.Draft.Part"},
                            "note": {"type": ["string", "null"]},
                            "any": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}}}
                        """##))
    }

    struct Put<Value: Encodable>: FlatRequest {
        var body: Value
        static var endpoint: Endpoint<Self> { Endpoint(method: .put, path: "things") }
        typealias Response = Void
    }
}

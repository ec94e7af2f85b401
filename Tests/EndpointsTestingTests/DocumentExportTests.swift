import Endpoints
import EndpointsFormats
import EndpointsStreams
import EndpointsTesting
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

enum Probed {
    struct Plain: Decodable { let id: Int, name: String?, url: URL?, list: [Plain] }
    enum Mood: String, Codable { case calm, hungry = "very_hungry" }
    enum Level: Int, Decodable { case low = 3, middle, high = 9 }
    enum Only: String, Decodable { case one }
    struct Dated: Codable { let bornAt: Date }
    struct Null: Decodable {
        let name: String?
        init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Key.self).decode(String?.self, forKey: .name)
        }
    }
    enum Key: String, CodingKey { case name, data }
    enum OpenMood: String, Decodable {
        case calm, unknown
        init(from decoder: any Decoder) throws {
            self = Self(rawValue: try String(from: decoder)) ?? .unknown
        }
    }
    struct Failure: Error {}
    struct Odd: Decodable { init(from decoder: any Decoder) throws { throw Failure() } }
    struct Keys: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Key.self).allKeys
        }
    }
    enum Cases: Decodable { case one(Int), two(String) }
    struct Email: Codable {
        let text: String
        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            guard text.hasPrefix("x-") else { throw Failure() }
        }
    }
    struct HasEmail: Decodable { let email: Email, last: Bool }
    struct IntOrText: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if (try? container.decode(Int.self)) == nil { _ = try container.decode(String.self) }
        }
    }
    indirect enum Tree: Decodable {
        case leaf(Int), node([Tree])
        init(from decoder: any Decoder) throws {
            self = try (try? .leaf(Int(from: decoder))) ?? .node([Tree](from: decoder))
        }
    }
    struct Pair: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            _ = (try list.decode(Int.self), try list.decode(Int.self))
        }
    }
    struct Nested: Decodable {
        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Key.self)
            let inner = try outer.nestedContainer(keyedBy: Key.self, forKey: .data)
            _ = try inner.decode(String.self, forKey: .name)
        }
    }
    struct Draft: Encodable {
        struct Part: Encodable { let id: UUID, more: [Draft] }
        let title: String, count: Int?, mood: Mood, part: Part
        let note: Change<String>, any: Either?
    }
    enum Either: Encodable {
        case number(Int), flag(Bool)
        func encode(to encoder: any Encoder) throws {
            switch self {
            case .number(let number): try number.encode(to: encoder)
            case .flag(let flag): try flag.encode(to: encoder)
            }
        }
    }
}

extension JSONValue {
    init(json: String) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    func at(_ names: String...) -> JSONValue {
        names.reduce(self) { value, name in
            if case .object(let members) = value { members[name] ?? .null } else { .null }
        }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
}

import EndpointsFormats
import Foundation

/// Types that a probe learns the schemas of.
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

extension JSONValue {
    /// The same value with a member, or an element by its number, changed or removed.
    func changed(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
        guard let name = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch self {
        case .object(var members):
            members[name] =
                rest.isEmpty ? value : members[name].map { $0.changed(rest, to: value) }
            return .object(members)
        case .array(var elements):
            if let index = Int(name) { elements[index] = elements[index].changed(rest, to: value) }
            return .array(elements)
        default: return self
        }
    }
}

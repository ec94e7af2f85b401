import Endpoints
import Foundation

/// The values of a declaration's key paths: properties of every type that can be written as text.
struct Values: Sendable {
    enum Word: String, PathRepresentable, Decodable { case newest, oldest = "the oldest / 2nd" }
    struct Nested: Sendable { var text = "" }
    final class Shared: Sendable {
        let text: String
        init(text: String) { self.text = text }
    }

    // Neighbours have different sizes, so that a wrong offset reads a wrong value.
    var flag = false
    var text = ""
    var small: Int8 = 0
    var maybe: String?
    var count = 0
    var big: UInt64 = 0
    var maybeCount: Int?
    var number = 0.0
    var single: Float = 0
    var decimal = Decimal()
    var word = Word.newest
    var moment = Date()
    var maybeMoment: Date?
    var id = UUID()
    var letter: Character = "a"
    var slice: Substring = ""
    var list: [String] = []
    var maybes: [String?] = []
    var numbers: [Double] = []
    var map: [String: String] = [:]
    var tree = Tree.null
    var nested = Nested()
    var shared = Shared(text: "")
    var basic = Credentials.basic(username: "", password: "")
    var bearer = Credentials.bearer("")
    /// What is known only at run time.
    var items: [URLQueryItem] = []
    var moreHeaders: [String: String?] = [:]

    var computed: String { text }
}

extension Values: Decodable {
    private enum Key: String, CodingKey {
        case flag, text, small, maybe, count, big, maybeCount, number, single, decimal, word, moment
        case maybeMoment, id, letter, slice, list, maybes, numbers, map, tree, nested, shared,
            basic,
            bearer
    }

    /// The values that a case gives; the others have a default.
    init(from decoder: any Decoder) throws {
        let given = try decoder.container(keyedBy: Key.self)
        func read<Value: Decodable>(_ key: Key, _ use: (Value) throws -> Void) throws {
            if let value = try given.decodeIfPresent(Value.self, forKey: key) { try use(value) }
        }
        try read(.flag) { flag = $0 }
        try read(.text) { text = $0 }
        try read(.small) { small = $0 }
        try read(.maybe) { maybe = $0 }
        try read(.count) { count = $0 }
        try read(.big) { big = $0 }
        try read(.maybeCount) { maybeCount = $0 }
        try read(.number) { number = $0 }
        try read(.single) { single = $0 }
        try read(.decimal) { decimal = Decimal(string: $0) ?? .nan }
        try read(.word) { word = $0 }
        try read(.moment) { moment = Date(timeIntervalSinceReferenceDate: $0) }
        try read(.maybeMoment) { maybeMoment = Date(timeIntervalSinceReferenceDate: $0) }
        try read(.id) { id = $0 }
        try read(.letter) { (text: String) in letter = text.first ?? letter }
        try read(.slice) { (text: String) in
            slice = Substring("-\(text)-".utf8.dropFirst().dropLast())
        }
        try read(.list) { list = $0 }
        try read(.maybes) { maybes = $0 }
        try read(.numbers) { numbers = $0 }
        try read(.map) { map = $0 }
        try read(.tree) { tree = $0 }
        try read(.nested) { nested.text = $0 }
        try read(.shared) { shared = Shared(text: $0) }
        try read(.basic) { (pair: [String]) in
            basic = .basic(username: pair.first ?? "", password: pair.last ?? "")
        }
        try read(.bearer) { bearer = .bearer($0) }
    }
}

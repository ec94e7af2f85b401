import Endpoints
import Foundation
import Testing

@Suite("Reading properties") struct PropertyReaderTests {
    @Test("Every kind of property of a struct is read", arguments: Kinds.names)
    func reads(name: String) throws {
        let url = try Kinds().urlRequest(in: ServerEnvironment(at: "https://h")).url
        let components = try #require(url.flatMap { URLComponents(string: $0.absoluteString) })
        #expect(components.queryItems?.first { $0.name == name }?.value == name)
    }

    @Test("A property of a final class is read")
    func readsClasses() throws {
        let request = try Final(text: "a b").urlRequest(in: ServerEnvironment(at: "https://h"))
        #expect(request.url?.absoluteString == "https://h/a%20b?text=a%20b")
    }

    @Test("A long property is read in full", arguments: [0, 1, 23, 24, 25, 100, 1000, 100_000])
    func readsLongValues(count: Int) throws {
        let text = String(repeating: "é", count: count)
        let escaped = String(repeating: "%C3%A9", count: count)
        let url = try Probe(a: "x" + text, b: text).url("\(path: \.a)", [.query("b", path: \.b)])
        #expect(url == "https://h/x\(escaped)?b=\(escaped)")
    }
}

/// A request with a property of each kind, whose value is its name.
private struct Kinds: FlatRequest {
    typealias Response = Void

    let small: Int8 = 1
    let empty = Empty()
    let constant = "constant"
    var variable = "variable"
    var observed = "observed" { didSet {} }
    var computed: String { "computed" }
    lazy var unread = "unread"
    var optional: String? = "optional"
    var both: (left: String, right: String) = ("left", "right")
    var nested = Nested()
    var other: Nested? = Nested()
    var object = Object()
    weak var reference: Object?
    var any: any Sendable = 1
    var wide: SIMD16<Int32> = .zero
    var behindAny = "behindAny"

    struct Empty: PathRepresentable {
        var pathRepresentation: String? { "empty" }
    }
    struct Nested {
        var flag = true
        var inside = "inside"
        var chained = "chained"
    }
    final class Object {
        var member = "member"
    }

    static let names = [
        "constant", "variable", "observed", "computed", "optional", "left", "right", "inside",
        "chained", "member", "empty", "behindAny",
    ]
    static let endpoint = Endpoint<Kinds>(
        method: .get, path: "kinds",
        parameters: [
            .query("constant", path: \.constant), .query("variable", path: \.variable),
            .query("observed", path: \.observed), .query("computed", path: \.computed),
            .query("optional", path: \.optional), .query("left", path: \.both.left),
            .query("right", path: \.both.right), .query("inside", path: \.nested.inside),
            .query("chained", path: \.other?.chained), .query("member", path: \.object.member),
            .query("empty", path: \.empty), .query("behindAny", path: \.behindAny),
        ])
}

private final class Final: FlatRequest {
    typealias Response = Void

    let text: String

    init(text: String) {
        self.text = text
    }

    static let endpoint = Endpoint<Final>(
        method: .get, path: "\(path: \.text)", parameters: [.query("text", path: \.text)])
}

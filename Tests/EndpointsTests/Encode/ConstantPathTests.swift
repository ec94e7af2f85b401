import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite("Constants in paths")
struct ConstantPathTests {
    static let forbidden = #"the path has a segment that is ".", ".." or an empty value; remove it"#

    static let refused: [PathTemplate<Probe>] = [
        "a/\(value: "..")/b", "\(value: "..")", "\(value: ".")", "a\(value: "")", "\(value: "")/b",
        "\(value: "")\(value: "")", ".\(value: ".", includesSlash: false)",
        "a/\(value: ".", includesSlash: false)", "./\(value: nil as String?)",
        "\(value: ".").", "\(value: ".")\(value: ".", includesSlash: false)/b",
        "a/\(value: "")\(path: \.a)", "%2e\(value: ".", includesSlash: false)",
        "\(value: "..")/\(path: \.a)",
    ]

    @Test("A constant that makes a path segment empty, . or .. is a problem", arguments: refused)
    func refusal(_ path: PathTemplate<Probe>) throws {
        let problems = Endpoint<Probe>(method: .get, path: path).problems.map(\.description)
        #expect(problems == ["Probe: \(Self.forbidden)"])
        #expect(try Probe(a: "a").refusal(path) == "Probe: \(Self.forbidden)")
    }

    static let sound: [(path: PathTemplate<Probe>, url: String)] = [
        ("a/\(value: "...")", "/a/..."), ("a/\(value: nil as String?)", "/a"),
        ("a\(value: "", includesSlash: false)", "/a"), ("\(value: "a/b")/", "/a%2Fb/"),
        ("..\(value: "a", includesSlash: false)", "/..a"), ("\(value: 2)/c", "/2/c"),
        (".\(path: \.a, includesSlash: false)", "/.x"),
        ("\(value: "..")\(path: \.a, includesSlash: false)", "/..x"),
    ]

    @Test("A constant that makes a valid path segment is no problem", arguments: sound)
    func url(_ path: PathTemplate<Probe>, _ url: String) throws {
        #expect(Endpoint<Probe>(method: .get, path: path).problems.map(\.description) == [])
        #expect(try Probe(a: "x").url(path) == "https://h\(url)")
    }
}

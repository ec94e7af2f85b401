import Endpoints
import Foundation
import Testing

/// Failures that `make fuzz` found, each in its smallest form.
@Suite struct FoundByFuzzingTests {
    static let refusedPaths: [(path: PathTemplate<Probe>, values: Probe)] = [
        ("\(path: \.a, includesSlash: false)/\(segments: \.list)", Probe(a: "")),
        ("\(path: \.a)/\(path: \.x)", Probe(a: "")),
        ("v\(path: \.a)/\(path: \.x)", Probe(a: "")),
    ]

    @Test(
        "An empty path segment is refused even if everything after it is left out",
        arguments: refusedPaths)
    func emptySegment(_ row: (path: PathTemplate<Probe>, values: Probe)) throws {
        let refusal = try row.values.refusal(row.path)
        let beginning = #"Probe: the path value "a" makes a segment that is empty"#
        #expect(refusal?.hasPrefix(beginning) == true)
    }

    @Test("A slash ends a path segment even if a combining mark follows it")
    func combiningMark() throws {
        let url = try Probe(a: "a/\u{301}b").url("\(segments: \.a)")
        #expect(url == "https://h/a/%CC%81b")
    }

    @Test(
        "An additional Content-Type replaces the default whatever its case",
        arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
    func defaultHeader(_ name: String) throws {
        let endpoint = Endpoint<Probe>(
            method: .post, path: "", parameters: [.form("a", path: \.a)],
            headers: HeaderList(contentsOf: \.moreHeaders))
        let values = Probe(moreHeaders: [Headers(name: name): "text/x"])
        let request = try values.urlRequest(of: endpoint)
        #expect(request.allHTTPHeaderFields?.count == 1)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "text/x")
    }

    @Test("A generic request's type parameter may be named Response")
    func genericResponse() throws {
        struct Get<Response: Decodable>: RequestType {
            static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "") }
        }
        let value: [String] = try CannedResponse(200, #"["a"]"#).read(Get<[String]>.self)
        #expect(value == ["a"])
    }
}

import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite struct EndpointTests {
    @Test("Many tasks can use one declaration at a time, each with its own values")
    func shared() async throws {
        let endpoint = Endpoint<Probe>(
            method: .post, path: "p/\(path: \.a)/\(segments: \.list)",
            parameters: [.query("n", path: \.number), .form("b", path: \.b)],
            headers: ["X-A": .field(path: \.a)])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        let text = "task \(task) with a text on the heap"
                        let probe = Probe(a: text, b: text, list: ["\(number)"], number: number)
                        let request = try probe.urlRequest(of: endpoint)
                        let segment = text.replacingOccurrences(of: " ", with: "%20")
                        let field = text.replacingOccurrences(of: " ", with: "+")
                        #expect(
                            request.url?.absoluteString
                                == "https://h/p/\(segment)/\(number)?n=\(number)")
                        #expect(request.httpBody == Data("b=\(field)".utf8))
                        #expect(request.value(forHTTPHeaderField: "X-A") == text)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A declaration of a thousand parameters sends them all in order")
    func large() throws {
        let names = (0..<1_000).map { "name \($0)" }
        let endpoint = Endpoint<Probe>(
            method: .get, path: "p",
            parameters: ParameterList(names.map { .query($0, path: \.number) }))
        #expect(endpoint.problems.isEmpty)
        let url = try Probe(number: 7).urlRequest(of: endpoint).url?.absoluteString
        #expect(url == "https://h/p?" + (0..<1_000).map { "name%20\($0)=7" }.joined(separator: "&"))
    }

    @Test("A list of headers made from a dictionary is sent like a literal")
    func dictionary() throws {
        let headers: [Headers: HeaderField<Probe>] = [
            "X-A": .field(path: \.a), .accept: .fieldValue(value: MIMEType.any),
        ]
        let endpoint = Endpoint<Probe>(method: .get, path: "p", headers: HeaderList(headers))
        let fields = try Probe(a: "1").urlRequest(of: endpoint).allHTTPHeaderFields
        #expect(fields == ["X-A": "1", "Accept": "*/*"])
    }
}

import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HEAD and its response")
struct HeadProblemTests {
    static let needing: [([String], String)] = [
        (
            Peek<User>.endpoint.problems.map(\.description),
            "Peek<User>: the method \(words("User"))"
        ),
        (
            Peek<String>.endpoint.problems.map(\.description),
            "Peek<String>: the method \(words("String"))"
        ),
        (
            PeekWithHead<[Int]>.endpoint.problems.map(\.description),
            "PeekWithHead<Array<Int>>: the method \(words("WithHTTPResponse<Array<Int>>"))"
        ),
    ]

    private static func words(_ type: String) -> String {
        """
        is HEAD, whose response has no content, but \(type) needs content; use GET, or declare \
        the Response as Void, as an optional, or as a WithHTTPResponse of one of these
        """
    }

    @Test("A HEAD whose response needs content is a problem", arguments: needing)
    func problem(_ problems: [String], _ text: String) {
        #expect(problems == [text])
    }

    static let content: [[EndpointError]] = [
        Peek<User?>.endpoint.problems, Peek<Data>.endpoint.problems,
        Peek<EmptyResponse>.endpoint.problems, PeekWithHead<String?>.endpoint.problems,
        PeekNothing.endpoint.problems, PeekLength.endpoint.problems,
        PeekParsed.endpoint.problems, Fetch<User>.endpoint.problems,
    ]

    @Test("A HEAD whose response needs no content has no problem", arguments: content)
    func noProblem(_ problems: [EndpointError]) {
        #expect(problems.isEmpty)
    }
}

private struct PeekWithHead<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .head, path: "x") }
    typealias Response = WithHTTPResponse<Value>
}

private struct PeekNothing: RequestType {
    static let endpoint = Endpoint<Self>(method: .head, path: "x")
    typealias Response = Void
}

/// A conversion of its own, which reads the head alone, though the type is decodable.
private struct PeekLength: RequestType {
    static let endpoint = Endpoint<Self>(method: .head, path: "x")
    typealias Response = Int

    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Int {
        Int(httpResponse.expectedContentLength)
    }
}

/// A conversion of its own, which finds nothing in a response of no server.
private struct PeekParsed: RequestType {
    static let endpoint = Endpoint<Self>(method: .head, path: "x")
    typealias Response = String

    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> String {
        guard let tag = httpResponse.value(forHTTPHeaderField: "ETag") else {
            throw URLError(.badServerResponse)
        }
        return tag
    }
}

/// A GET for any decodable response.
private struct Fetch<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
    typealias Response = Value
}

/// A HEAD, whose response has no content.
private struct Peek<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .head, path: "x") }
    typealias Response = Value
}

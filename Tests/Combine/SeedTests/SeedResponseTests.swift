import Endpoints
import Foundation
import SeedSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import DELETERequestWithVoidResponse
@testable import GETRequest
@testable import GETRequestWithCustomErrorResponse
@testable import GETRequestWithCustomErrorResponseAndErrorDecoder
@testable import GETRequestWithCustomResponseDecoder
@testable import OutputURL
@testable import ParametersFragment
@testable import POSTRequestWithQueryParameters

@Suite("Responses of the seed's examples") struct SeedResponseTests {
    @Test("The seed's POST example has the output URL that its text shows")
    func outputURL() throws {
        let request = POSTRequestWithQueryParameters.MyRequest(
            parameters: .init(keyString: "value", keyInt: 42))
        let url = try request.urlRequest(in: .production).url
        #expect(url?.absoluteString == OutputURL.outputURL)
    }

    @Test("The seed's GET example decodes its response")
    func response() throws {
        let data = Data(#"{"resourceId": "1", "resourceName": "a"}"#.utf8)
        let response = try GETRequest.MyRequest.decode(data, httpResponse(200))
        #expect(response.resourceId == "1" && response.resourceName == "a")
    }

    @Test("The seed's example with a custom decoder decodes its response with it")
    func responseDecoder() throws {
        typealias Request = GETRequestWithCustomResponseDecoder.MyRequest
        let data = Data(#"{"resource_id": "1", "resource_name": "a"}"#.utf8)
        let response = try Request.decode(data, httpResponse(200))
        #expect(response.resourceId == "1" && response.resourceName == "a")
    }

    @Test(
        "The seed's DELETE example ignores the body, as its response is Void",
        arguments: ["", "{}", "<html>"])
    func void(_ text: String) throws {
        typealias Request = DELETERequestWithVoidResponse.MyRequest
        try Request.decode(Data(text.utf8), httpResponse(200))
    }

    @Test("The seed's example with a custom error decodes it")
    func error() throws {
        typealias Request = GETRequestWithCustomErrorResponse.MyRequest
        let (data, received) = (Data(#"{"code": 7, "message": "m"}"#.utf8), try httpResponse(418))
        do {
            _ = try Request.decode(data, received)
            Issue.record("the response wasn't an error")
        } catch .errorResponse(let httpResponse, let error) {
            #expect(httpResponse === received)
            #expect(error.code == 7 && error.message == "m")
        }
    }

    @Test("The seed's example with a custom error decoder decodes its error with it")
    func errorDecoder() throws {
        typealias Request = GETRequestWithCustomErrorResponseAndErrorDecoder.MyRequest
        let (data, received) = (Data(#"{"CODE": 7, "message": "m"}"#.utf8), try httpResponse(500))
        // The example's own strategy changes no key of its `ServerError`; this one does.
        Request.errorDecoder.keyDecodingStrategy = .custom { path in
            Key(stringValue: path.last?.stringValue.lowercased() ?? "")
        }
        do {
            _ = try Request.decode(data, received)
            Issue.record("the response wasn't an error")
        } catch .errorResponse(_, let error) {
            #expect(error.code == 7 && error.message == "m")
        }
    }

    @Test("Every case in the seed's listing of `Parameter` can be declared and sent")
    func listing() throws {
        struct Listed: RequestType {
            static let endpoint = Endpoint<Listed>(
                method: .post, path: "", parameters: ParametersFragment.parameters)
            typealias Response = Void
            let parameters: ParametersFragment.Values
        }
        let request = try Listed(parameters: .init(text: "t")).urlRequest(in: .production)
        #expect(request.url?.query == "name=t&name=text")
        #expect(request.httpBody == Data("name=t&name=text".utf8))
    }

    private func httpResponse(_ status: Int) throws -> HTTPURLResponse {
        let url = ServerEnvironment.production.baseUrl
        return try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil))
    }
}

private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

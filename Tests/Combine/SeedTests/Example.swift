import Endpoints
import Foundation
import OpenCombine
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import DELETERequestWithVoidResponse
@testable import GETRequest
@testable import GETRequestWithCustomErrorResponse
@testable import GETRequestWithCustomErrorResponseAndErrorDecoder
@testable import GETRequestWithCustomResponseDecoder
@testable import GETRequestWithHeaderValues
@testable import GETRequestWithPathComponents
@testable import HeaderValuesFragment
@testable import OutputURL
@testable import POSTRequestWithBody
@testable import POSTRequestWithCustomBodyEncoder
@testable import POSTRequestWithFormParameters
@testable import POSTRequestWithQueryParameters
@testable import PathComponentsFragment

/// An example of the seed, and what is sent.
struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: @Sendable (ServerEnvironment) throws -> URLRequest
    let method: String
    let target: String
    let headers: [String: String]
    let body: String?
    /// The example's usage, if it has one.
    let use: (@Sendable (inout Set<AnyCancellable>) -> Void)?

    init<Request: RequestType>(
        _ method: String, _ target: String, _ headers: [String: String] = [:], body: String? = nil,
        use: (@Sendable (inout Set<AnyCancellable>) -> Void)? = nil,
        _ request: @escaping @Sendable () -> Request
    ) where Request.Environment == ServerEnvironment {
        testDescription = String(reflecting: Request.self)
        self.request = { try request().urlRequest(in: $0) }
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
        self.use = use
    }
}

extension Example {
    private static let json = ["Accept": "application/json"]
    private static let jsonBody = json.merging(["Content-Type": "application/json"]) { $1 }
    private static let formBody = json.merging(
        ["Content-Type": "application/x-www-form-urlencoded"]
    ) { $1 }

    static let all: [Example] = [
        Example("GET", "/path/to/resource", json, use: GETRequest.use) {
            GETRequest.MyRequest()
        },
        Example("GET", "/user/42/resource", json, use: GETRequestWithPathComponents.use) {
            GETRequestWithPathComponents.MyRequest(pathComponents: .init(userId: "42"))
        },
        Example(
            "GET", "/path/to/resource",
            json.merging([
                "X-CUSTOM": "headerValue", "X-OTHER-CUSTOM": "42", "X-HARD-CODED": "value",
            ]) { $1 },
            use: GETRequestWithHeaderValues.use
        ) {
            GETRequestWithHeaderValues.MyRequest(
                headerValues: .init(headerString: "headerValue", headerInt: 42))
        },
        Example(
            "POST", "/path/to/resource", jsonBody, body: #"{"bodyName":"value"}"#,
            use: POSTRequestWithBody.use
        ) {
            POSTRequestWithBody.MyRequest(body: .init(bodyName: "value"))
        },
        Example(
            "POST", "/path/to/resource", formBody,
            body: "keyString=value&keyInt=42&key=hard-coded", use: POSTRequestWithFormParameters.use
        ) {
            POSTRequestWithFormParameters.MyRequest(
                parameters: .init(keyString: "value", keyInt: 42))
        },
        Example(
            "POST", "/path/to/resource?keyString=value&keyInt=42&key=hard-coded", json,
            use: POSTRequestWithQueryParameters.use
        ) {
            POSTRequestWithQueryParameters.MyRequest(
                parameters: .init(keyString: "value", keyInt: 42))
        },
        Example("DELETE", "/path/to/resource", use: DELETERequestWithVoidResponse.use) {
            DELETERequestWithVoidResponse.MyRequest()
        },
        Example(
            "GET", "/path/to/resource", json, use: GETRequestWithCustomResponseDecoder.use
        ) {
            GETRequestWithCustomResponseDecoder.MyRequest()
        },
        Example(
            "POST", "/path/to/resource", jsonBody, body: #"{"body_value":"value"}"#,
            use: POSTRequestWithCustomBodyEncoder.use
        ) {
            POSTRequestWithCustomBodyEncoder.MyRequest(body: .init(bodyValue: "value"))
        },
        Example("GET", "/path/to/resource", json, use: GETRequestWithCustomErrorResponse.use) {
            GETRequestWithCustomErrorResponse.MyRequest()
        },
        Example(
            "GET", "/path/to/resource", json,
            use: GETRequestWithCustomErrorResponseAndErrorDecoder.use
        ) {
            GETRequestWithCustomErrorResponseAndErrorDecoder.MyRequest()
        },
        Example("DELETE", "/calendar/v3/calendars/a%2Fb/events/c") {
            PathComponentsFragment.DeleteRequest(
                pathComponents: .init(calendarId: "a/b", eventId: "c"))
        },
        Example(
            "GET", "/request",
            ["X-TYPE": "t", "X-VALUE": "value", "Keep-Alive": "timeout=5, max=1000"]
        ) {
            HeaderValuesFragment.UserRequest(headerValues: .init(type: "t"))
        },
    ]
}

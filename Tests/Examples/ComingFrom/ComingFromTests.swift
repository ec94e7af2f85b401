import Endpoints
import EndpointsMiddleware
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What each page about another library declares, sent to a stub.
struct ComingFromTests {
    let stub = StubTransport()
    let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com/v1")!)

    var client: EndpointClient<ServerEnvironment> { EndpointClient(stub, in: server) }

    @Test("The nested and the flat declaration send the same request")
    func velos() throws {
        let nested = MoveEvent(
            pathComponents: .init(calendarId: "a/b", eventId: "7"),
            parameters: .init(destination: "c@d"), headerValues: .init(client: "tool"))
        let flat = MoveEventFlat(
            calendarId: "a/b", eventId: "7", destination: "c@d", client: "tool")
        let expected = """
            POST https://api.example.com/v1/calendars/a%2Fb/events/7/move?destination=c@d&notify=all
            Accept: application/json
            X-Client: tool
            """
        #expect(try nested.snapshot(in: server) == expected)
        #expect(try flat.snapshot(in: server) == expected)
    }

    @Test("A query of an optional property is sent, and its response read")
    func melatonin() async throws {
        stub.on(EstimateAge.self, .json(#"{"name": "bella", "age": 34, "count": 40138}"#))
        #expect(try await age(of: "bella", by: stub) == 34)
        #expect(
            try EstimateAge(name: "a b").snapshot(in: .agify)
                == "GET https://api.agify.io?name=a%20b\nAccept: application/json")
        #expect(try EstimateAge(name: nil).urlRequest(in: .agify).url?.query == nil)
    }

    @Test("Query items that are known at run time follow the declared ones")
    func swiftyNetworking() async throws {
        stub.on(EstimateAges.self, .json(#"[{"name": "a", "age": 1}, {"name": "b", "age": 2}]"#))
        #expect(try await ages(of: ["a", "b"], by: stub) == [1, 2])
        let request = try #require(stub.sent.first?.urlRequest)
        #expect(request.url?.query == "name%5B%5D=a&name%5B%5D=b&country_id=DE")
        #expect(request.timeoutInterval == 10)
    }

    @Test("A PUT with an account has a body and no response")
    func tinyNetworking() async throws {
        stub.on(EditCampaign.self, .status(204))
        let mailchimp = Mailchimp(client: client, apiKey: "k3y")
        try await mailchimp.edit("7", .init(plain_text: "hi", html: "<p>hi</p>"))
        let request = try #require(stub.sent.first?.urlRequest)
        #expect(request.url?.absoluteString == "https://api.example.com/v1/campaigns/7/content")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Basic YW55c3RyaW5nOmszeQ==")
        #expect(try UserInfo.decode(Data(#"{"name": "Ann"}"#.utf8), .ok).name == "Ann")
        #expect(throws: (any Error).self) { try UserInfo.decode(Data("no JSON".utf8), .ok) }
    }

    @Test("A refused login is a case, and a request gets the token")
    func alamofire() async throws {
        let account = Account(email: "ann@example.com", password: "w")
        stub.on(LogIn.self, .status(401), .value(Session(id: "s1")))
        #expect(await logIn(account, by: client) == "the password is wrong")
        #expect(await logIn(account, by: client) == "s1")

        stub.on(Profile.self, .value(Session(id: "s1")))
        let tokens = MemoryCredentials(for: server, AccessToken(.bearer("t0k3n"))) { $0 }
        let session = EndpointClient(patient(stub, signedInBy: tokens), in: server)
        #expect(try await session(Profile()).id == "s1")
        let sent = try #require(stub.sent.last?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "Bearer t0k3n")
    }

    @Test("Each case of a service is a request of its own type")
    func moya() async throws {
        stub.on(Zen.self, .data(Data("Half measures are as bad as nothing at all.".utf8)))
        stub.on(ShowUser.self) { request in .value(Member(id: request.id)) }
        #expect(try await client(Zen()).hasPrefix("Half"))
        #expect(try await client(ShowUser(id: 123)).id == 123)
        #expect(
            try CreateUser(firstName: "Harry", lastName: "O'Neil & Co").snapshot(in: server) == """
                POST https://api.example.com/v1/users
                Accept: application/json
                Content-Type: application/x-www-form-urlencoded
                X-App: demo

                first_name=Harry
                last_name=O%27Neil+%26+Co
                """)
    }

    @Test("The head of a response comes with its value")
    func get() async throws {
        stub.on(CurrentUser.self, .value(Login(login: "ann")))
        stub.on(AddEmails.self, .json(#"[{"email": "ann@example.com"}]"#, status: 201))
        #expect(try await setUp(client) == ("ann", 201))
        let body = try #require(stub.sent.last?.urlRequest.httpBody)
        #expect(String(decoding: body, as: UTF8.self) == #"["ann@example.com"]"#)
    }

    @Test("A query map, a header and a multipart form are declared")
    func retrofit() throws {
        let request = GroupMembers(group: 7, sort: .desc, options: ["page": "2"])
        #expect(
            try request.snapshot(in: server) == """
                GET https://api.example.com/v1/group/7/users?sort=desc&page=2
                Accept: application/json
                Cache-Control: max-age=640000
                """)
        let photo = File(Data("png".utf8), name: "me.png", contentType: "image/png")
        let update = UpdateProfile(photo: photo, description: "me")
        #expect(update.problems.isEmpty)
        #expect(try update.snapshot(in: server).contains("filename=\"me.png\""))
    }
}

extension HTTPURLResponse {
    fileprivate static var ok: HTTPURLResponse {
        let url = URL(string: "https://api.example.com")!
        return HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)!
    }
}

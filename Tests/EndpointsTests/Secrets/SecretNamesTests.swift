import EndpointsMiddleware
import EndpointsTesting
import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Secret names")
struct SecretNamesTests {
    @Test("Each of more than 600 names from public documents is hidden or shown as sorted by hand")
    func sorted() {
        var wrong: [String] = []
        var count = 0
        for list in SortedNames.all {
            for (names, isSecret) in [(list.hidden, true), (list.shown, false)] {
                for name in names.split(whereSeparator: \.isWhitespace) {
                    count += 1
                    if SecretNames.usual.contains(name, in: list.place) != isSecret {
                        wrong.append("\(list.place) \(name)")
                    }
                }
            }
        }
        #expect(wrong == [] && count > 600)
    }

    @Test("A body that people meet every day is shown as it is", arguments: OrdinaryBody.all)
    func ordinary(_ body: OrdinaryBody) {
        for whole in ["…", "\"…\"", nil] {
            var masking = Masking(.usual, whole: whole)
            let shown = masking.body(Array(body.body.utf8), body.type).bytes
            #expect(shown.map { String(decoding: $0, as: UTF8.self) } == body.body)
        }
    }

    @Test("A name is added and taken away, and the last change counts")
    func changes() {
        let names = SecretNames.usual.union(["shoe_size"]).subtracting(["license_token"])
        #expect(names.contains("my-shoe-size", in: .json) && names.contains("token", in: .json))
        #expect(!names.contains("license_token", in: .json))
        #expect(names.union(["license_token"]).contains("LicenseToken", in: .json))
        #expect(!SecretNames.usual.contains("shoe_size", in: .json))
        #expect(([] as SecretNames).contains("password") == false)
    }

    struct Send: FlatRequest {
        var mine: LoadPolicy
        var loadPolicy: LoadPolicy { mine }
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a",
            parameters: [
                .queryValue("shoe", value: "x"), .queryValue("token", value: "y"),
                .queryValue("sig", value: "z"),
            ])
        typealias Response = Void
    }

    @Test("A policy's names are changed for all requests and for a request type, and add up")
    func policies() throws {
        let all = LoadPolicy(secretNames: ["shoe"])
        let server = ServerEnvironment(
            baseUrl: ServerEnvironment.production.baseUrl, loadPolicy: all)
        let one = LoadPolicy(secretNames: SecretNames().subtracting(["token"]))
        #expect(
            try Send(mine: one).snapshot(in: server).hasPrefix(
                "GET https://api.example.com/v1/a?shoe=…&token=y&sig=…"))
        #expect(
            try Send(mine: LoadPolicy(secretNames: SecretNames().subtracting(["shoe"])))
                .snapshot(in: server).hasPrefix(
                    "GET https://api.example.com/v1/a?shoe=x&token=…&sig=…"))
    }

    @Test("Names are equal however they are spelled")
    func spelling() {
        #expect(SecretNames(arrayLiteral: "mfaKey") == ["mfa_key"])
        #expect(Set<SecretNames>([["mfaKey"], ["mfa_key"]]).count == 1)
    }

    @Test("The page lists the names that the library knows, and no other")
    func page() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Sources/Endpoints/Endpoints.docc/Secrets.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        var listed: [String: UInt8] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, let mask = Self.masks[cells[0]] else { continue }
            for name in cells[1].matches(of: /`([^`]+)`/) {
                let key = name.1.lowercased().filter { $0.isLetter || $0.isNumber }
                listed[cells[1].contains("whole name") ? "=" + key : key] = mask
            }
        }
        var (known, places): ([String: UInt8], UInt8?) = ([:], nil)
        for word in "\(SecretNames.table)".split(whereSeparator: \.isWhitespace) {
            if word.hasSuffix(":") {
                places = UInt8(word.dropLast())
            } else {
                known["\(word)"] = places
            }
        }
        #expect(listed == known)
        for (name, places) in listed {
            for place in SecretNames.Place.allCases {
                let isSecret = SecretNames.usual.contains(name, in: place)
                #expect(isSecret == (places & place.rawValue > 0), "\(name)")
            }
        }
    }

    private static let masks: [String: UInt8] = [
        "everywhere": 31, "all but numbers": 15, "query, header": 5, "query, form, header": 7,
        "query, form": 3, "header": 4, "nowhere": 0, "after a name": 32,
    ]

    struct Hook: FlatRequest {
        let team: String
        let token: Secret
        static let endpoint = Endpoint<Self>(
            method: .post, path: "hooks/\(path: \.team)/\(secret: \.token)")
        typealias Response = [Int]
    }

    @Test("A declared secret in a path is sent, and no text of the library shows it")
    func path() async throws {
        for token in ["s3cr3t/token", "s3c"] {
            let hook = Hook(team: "ann", token: Secret(token))
            let sent = try hook.urlRequest(in: .production).url?.absoluteString
            let escaped = token.replacing("/", with: "%2F")
            #expect(sent == "https://api.example.com/v1/hooks/ann/\(escaped)")
            #expect(
                try hook.snapshot(in: .production).hasPrefix(
                    "POST https://api.example.com/v1/hooks/ann/…"))
            #expect(try hook.curl(in: .production).contains("/ann/'\"$SECRET\"''"))
            #expect(try hook.curl(in: .production, showsCredentials: true).contains(escaped))
            let stub = StubTransport()
            stub.on(Hook.self, .data(Data("no hook \(token)".utf8)))
            let lines = Locked("")
            let error = await #expect(throws: Hook.TaskError.self) {
                try await stub.logged { event in lines.withLock { $0 += "\(event)" } }
                    .response(in: .production, with: hook)
            }
            let debugging = error?.debugDescription ?? ""
            #expect(debugging.contains("hooks/ann/… -> 200"))
            if token.count > 5 { #expect(!debugging.contains("s3cr3t")) }
            #expect(!lines.withLock { $0 }.contains("s3c"))
            let texts = String(describing: hook.token) + String(reflecting: hook.token)
            #expect(!texts.contains("s3c"))
        }
    }

    struct Query: FlatRequest {
        let token = Secret("s3cr3t")
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("t", path: \.token)])
        typealias Response = Void
    }

    struct Path: FlatRequest {
        let token = Secret("s3cr3t")
        static let endpoint = Endpoint<Self>(method: .get, path: "a/\(path: \.token)")
        typealias Response = Void
    }

    struct Header: FlatRequest {
        let token = Secret("s3cr3t")
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", headers: ["X-Mine": .field(path: \.token)])
        typealias Response = Void
    }

    @Test(
        "A secret in a query, or in a path that doesn't say so, is refused, and in a header it is sent and hidden"
    )
    func places() throws {
        let error = #expect(throws: EndpointError.self) {
            try Query().urlRequest(in: .production)
        }
        #expect(error?.field == .query("t"))
        let inPath = #expect(throws: EndpointError.self) { try Path().urlRequest(in: .production) }
        #expect(inPath?.field == .pathValue("token"))
        #expect(inPath?.reason.hasSuffix(#"declare a Secret in the path as \(secret:)"#) == true)
        #expect(Path().problems.map(\.field) == [.pathValue("token")])
        #expect(Hook(team: "a", token: Secret("b")).problems.isEmpty)
        let sent = try Header().urlRequest(in: .production)
        #expect(sent.value(forHTTPHeaderField: "X-Mine") == "s3cr3t")
        #expect(try Header().snapshot(in: .production).contains("X-Mine: …"))
    }

    @Test("dump of a public value shows no more than its debug description")
    func dumps() throws {
        struct Cause: Error { let value = "s3cr3t" }
        let url = try #require(URL(string: "https://u:s3cr3t@h/?token=s3cr3t"))
        var urlRequest = URLRequest(url: url)
        urlRequest.setValue("s3cr3t", forHTTPHeaderField: "Authorization")
        urlRequest.httpBody = Data("s3cr3t".utf8)
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: ["Set-Cookie": "a=s3cr3t"]))
        let request = TransportRequest(urlRequest, requestType: Query.self)
        let endpoint = EndpointError(
            requestType: "Q", field: .body, reason: "is bad", cause: Cause())
        let events = Locked<[LogEvent]>([])
        typealias Failure = EndpointTaskError<String>
        let loadError = URLError(
            .timedOut, userInfo: ["NSErrorFailingURLStringKey": url.absoluteString])
        let values: [Any] = [
            request, TransportResponse(Data("s3cr3t".utf8), head), endpoint,
            Failure.endpointError(endpoint), Failure.urlLoadError(loadError),
            Failure.errorResponse(httpResponse: head, response: "s3cr3t"),
            Failure.unexpectedResponse(httpResponse: head),
            Failure.transportError(TransportError(cause: Cause())), TransportError(cause: Cause()),
            Credentials.bearer("s3cr3t"), Secret("s3cr3t"),
            AccessToken(.bearer("s3cr3t")), SignInError(cause: Cause()),
            ServerEnvironment(baseUrl: url),
            EndpointClient(StubTransport(), in: ServerEnvironment(baseUrl: url)),
            events.withLock { $0 },
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!dumped.contains("s3cr3t"), "\(type(of: value))")
            #expect(!String(reflecting: value).contains("s3cr3t"), "\(type(of: value))")
        }
    }
}

import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Servers and environments")
struct ServersTests {
    struct GetMe: RequestType {
        static let endpoint = Endpoint<GetMe>(method: .get, path: "users/me")
        typealias Response = User
    }

    /// A second server in the same program, with environments of the same names.
    struct Billing: EnvironmentType {
        var baseUrl: URL
        var requestProcessor: RequestProcessor?

        static let production = Billing(baseUrl: URL(string: "https://billing.example.com")!)
        static let staging = Billing(
            baseUrl: URL(string: "http://localhost:8080/billing")!,
            requestProcessor: { $0.setValue("yes", forHTTPHeaderField: "X-Test") })
    }

    struct GetInvoice: FlatRequest {
        typealias Environment = Billing
        let number: Int
        static let endpoint = Endpoint<GetInvoice>(method: .get, path: "invoices/\(path: \.number)")
        typealias Response = Data
    }

    @Test("Two servers can each have a .production")
    func production() throws {
        #expect(
            try GetMe().urlRequest(in: .production).url?.absoluteString
                == "https://api.example.com/v1/users/me")
        #expect(
            try GetInvoice(number: 7).urlRequest(in: .production).url?.absoluteString
                == "https://billing.example.com/invoices/7")
    }

    @Test("A server can have several environments, and one may have a port")
    func staging() throws {
        #expect(
            try GetMe().urlRequest(in: .staging).url?.absoluteString
                == "https://staging.example.com:8443/users/me")
        let invoice = try GetInvoice(number: 7).urlRequest(in: .staging)
        #expect(invoice.url?.absoluteString == "http://localhost:8080/billing/invoices/7")
        #expect(invoice.url?.port == 8080)
        #expect(invoice.value(forHTTPHeaderField: "X-Test") == "yes")
    }

    @Test("A request is sent to its server's .production")
    func load() async throws {
        let me = try await CannedResponses.session.response(in: .production, with: GetMe())
        #expect(me.name == "Ann")
    }

    /// A request with a short time limit.
    struct GetQuickly: RequestType {
        static let endpoint = Endpoint<GetQuickly>(method: .get, path: "delay/9")
        typealias Response = Data
        static let loadPolicy = LoadPolicy(timeLimit: 0.5)
        func prepare(_ request: inout URLRequest) { request.timeoutInterval = 5 }
    }

    @Test("One request can have a shorter time limit and timeout than others", .needsServers)
    func timeout() async throws {
        #expect(try GetQuickly().urlRequest(in: .production).timeoutInterval == 5)
        #expect(try GetMe().urlRequest(in: .production).timeoutInterval == 60)
        do {
            _ = try await Server.httpbin.response(to: GetQuickly())
            Issue.record("no timeout")
        } catch GetQuickly.TaskError.urlLoadError(let error) {
            #expect(error.code == .timedOut)
        }
    }
}

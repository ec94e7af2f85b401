import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite struct SignInTests {
    /// Imports the sign-in of a document with these security schemes.
    private func text(_ schemes: String, _ report: Report = Report()) throws -> String? {
        let document = try Document(
            Data(
                #"""
                {"openapi": "3.2.0", "info": {"title": "Shop"}, "paths": {},
                 "components": {"securitySchemes": \#(schemes)}}
                """#.utf8))
        return SignInWriter(document: document, report: report).text()?.text
    }

    @Test func `The servers and scopes of all flows are written`() throws {
        let schemes = #"""
            {"key": {"type": "apiKey", "in": "header", "name": "X-Key"},
             "petstore_auth": {"type": "oauth2", "description": "The shop's accounts. More.",
              "flows": {
               "authorizationCode": {"authorizationUrl": "https://a.test/authorize",
                "tokenUrl": "https://a.test/token", "scopes": {
                 "read:pets": "Read your pets.", "default": ""}},
               "deviceAuthorization": {"deviceAuthorizationUrl": "https://a.test/device",
                "tokenUrl": "https://a.test/token", "scopes": {"read:pets": "Again."}}}}}
            """#
        let written = try #require(try text(schemes))
        #expect(
            written == """
                import EndpointsAuth
                import Foundation

                nonisolated extension OAuthServer {
                    /// The shop's accounts.
                    static let petstoreAuth = OAuthServer(
                        authorizationURL: URL(string: "https://a.test/authorize"),
                        tokenURL: URL(string: "https://a.test/token"),
                        deviceAuthorizationURL: URL(string: "https://a.test/device"))
                }

                /// The scopes of ``OAuthServer/petstoreAuth``.
                nonisolated enum PetstoreAuthScope {
                    /// Read your pets.
                    static let readPets = "read:pets"
                    /// `default`.
                    static let `default` = "default"
                }

                """)
    }

    /// Schemes of which nothing is written, and whether the report says so.
    static let others: [(String, Bool)] = [
        ("{}", false), (#"{"a": {"type": "http", "scheme": "bearer"}}"#, false),
        (#"{"a": {"type": "oauth2", "flows": {"implicit": {"scopes": {}}}}}"#, true),
        (
            #"{"a": {"type": "oauth2", "flows": {"password": {"tokenUrl": "http://a.test/t"}}}}"#,
            true
        ),
        (#"{"a": {"type": "oauth2", "flows": {"password": {"tokenUrl": "/token"}}}}"#, true),
    ]

    @Test(arguments: others)
    func `A scheme without an https URL of tokens is reported and not written`(
        schemes: String, isReported: Bool
    ) throws {
        let report = Report()
        #expect(try text(schemes, report) == nil)
        #expect(report.lines.contains { $0.contains("its sign-in isn't written") } == isReported)
    }

    @Test func `A hostile name or description stays a name or a comment`() throws {
        let schemes = #"""
            {"x\"; exit(1) //": {"type": "oauth2", "description": "a */ \n exit(1)",
              "flows": {"clientCredentials": {"tokenUrl": "https://a.test/\"\\(exit(1))",
               "scopes": {"\"); exit(1)": "\nexit(1)"}}}}}
            """#
        let written = try #require(try text(schemes))
        let lines = written.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(!lines.contains { $0.hasPrefix("exit") }, "\(written)")
        #expect(written.contains(#"URL(string: "https://a.test/\"\\(exit(1))")"#))
    }
}

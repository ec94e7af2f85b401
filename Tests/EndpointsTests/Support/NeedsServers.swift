import Foundation
import Testing

/// The servers that `make test` starts beside the tests.
enum TestServers {
    /// The variables that hold their addresses.
    static let variables = [
        "ENDPOINTS_HTTPBIN", "ENDPOINTS_RECORDER", "ENDPOINTS_RECORDER_OTHER", "ENDPOINTS_FAULTS",
    ]

    /// Whether the tests that need a server run.
    ///
    /// They run if any server has an address, so that one without an address is a failure.
    /// `make test` sets `ENDPOINTS_SERVERS` to `required`, so that it never leaves them out.
    fileprivate static let areExpected: Bool = {
        let environment = ProcessInfo.processInfo.environment
        let isRequired = environment["ENDPOINTS_SERVERS"] == "required"
        let areExpected = isRequired || variables.contains { environment[$0] != nil }
        if !areExpected { atexit { print(leftOut) } }
        return areExpected
    }()

    private static let leftOut = "Tests that need a server were left out: `make test` runs them."

    /// Whether the tests that need TLS run: with the others, unless the system doesn't let
    /// `make test` add a certificate for them to trust. It then says so, and fails under `CI=true`.
    fileprivate static let isTLSExpected =
        areExpected
        && ProcessInfo.processInfo.environment["ENDPOINTS_RECORDER_TLS"] != "impossible"

    /// The address of a server; without one the test fails.
    static func address(_ variable: String) throws -> URL {
        let text = ProcessInfo.processInfo.environment[variable]
        return try #require(
            text.flatMap(URL.init(string:)),
            "\(variable) has no address: run `make test`, which starts the servers")
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests and suites that need the servers that `make test` starts.
    static var needsServers: Self {
        .enabled(if: TestServers.areExpected, "it needs the servers that `make test` starts")
    }

    /// For tests and suites that need a server whose certificate is trusted.
    static var needsTLS: Self {
        .enabled(if: TestServers.isTLSExpected, "it needs a certificate that `make test` can add")
    }
}

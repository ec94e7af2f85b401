/// Writes a file that makes requests from given values, and prints each as a line of JSON.
struct CallsWriter {
    let plan: Plan
    let report: Report

    /// The text of the file. A call whose values don't fit is listed as skipped.
    func text(_ values: Node) throws -> String {
        let writer = ValueWriter(patched: plan.typer.patched)
        var calls: [String] = []
        for call in try values.list("operations") {
            let method = try call.requiredText("method").lowercased()
            let path = try call.requiredText("path")
            let match = plan.requests.first {
                $0.operation.method.lowercased() == method && $0.operation.path == path
            }
            guard let match else {
                report.skip(call.pointer, "the operation \(method) \(path) isn't declared")
                continue
            }
            do {
                let text = try request(match, call, writer)
                calls.append("show(\"\(match.name)\") { try \(text).urlRequest(in: server) }")
            } catch let error as UsageError {
                report.skip(call.pointer, error.description)
            }
        }
        // Each call is a function of its own, as one large function is slow to compile.
        let functions = calls.enumerated().map {
            "    \(Self.deprecation)\n    private static func call\($0)() throws { try \($1) }\n"
        }
        let all = calls.indices.map { "        try call\($0)()\n" }.joined()
        return head + all + "    }\n\n" + functions.joined() + tail
    }

    private func request(_ request: Request, _ call: Node, _ writer: ValueWriter) throws -> String {
        var given: [String: JSON] = [:]
        for parameter in try call.list("parameters") {
            let key = "\(try parameter.requiredText("in")) \(try parameter.requiredText("name"))"
            given[key] = parameter["value"]?.json
            for (name, node) in parameter["value"]?.allMembers ?? [] {
                given["\(key)/\(name)"] = node.json
            }
        }
        if let body = call["body"] {
            given["body"] = body.json
            for (name, node) in body.allMembers { given["form \(name)"] = node.json }
        }
        return try writer.request(request, given)
    }

    private var head: String {
        """
        // swift-format-ignore-file

        import Endpoints
        import EndpointsFormats
        import Foundation

        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        private let server = \(plan.names.server)(baseUrl: URL(string: "https://server.invalid")!)

        /// Requests made of given values.
        enum Calls: Printing {
            /// Prints a line of JSON for each request: name, method, URL, headers, body in base64.
            static func printAll() throws { try (Self.self as any Printing.Type).printCalls() }

            \(Self.deprecation)
            fileprivate static func printCalls() throws {

        """
    }

    /// Only what is deprecated itself may use deprecated declarations without a warning.
    private static let deprecation = "@available(*, deprecated)"

    private var tail: String {
        """

            private static func show(_ name: String, _ make: () throws -> URLRequest) throws {
                var line: [String: Any] = ["name": name]
                do {
                    let request = try make()
                    line["method"] = request.httpMethod
                    line["url"] = request.url?.absoluteString
                    line["headers"] = request.allHTTPHeaderFields ?? [:]
                    line["body"] = try body(request).base64EncodedString()
                } catch { line["error"] = "\\(error)" }
                let data = try JSONSerialization.data(
                    withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
                print(String(decoding: data, as: UTF8.self))
            }

            private static func body(_ request: URLRequest) throws -> Data {
                if let body = request.httpBody { return body }
                return try request.upload?.data() ?? Data()
            }
        }

        /// Deprecated functions can be called without a warning through a protocol.
        private protocol Printing {
            static func printCalls() throws
        }

        \(ValueWriter.functions)
        """
    }
}

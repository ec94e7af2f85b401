import EndpointsDocuments

/// Writes a file that makes requests from given values, and prints each as a line of JSON.
struct CallsWriter {
    let plan: Plan
    let report: Report

    /// The text of the file. A call whose values don't fit is listed as skipped.
    func text(_ values: Node) throws -> String {
        let writer = ValueWriter()
        var calls: [Written] = []
        for call in try values.list("operations") {
            let method = try call.requiredText("method")
            let path = try call.requiredText("path")
            let match = plan.requests.first {
                $0.operation.method.lowercased() == method.lowercased() && $0.operation.path == path
            }
            guard let match else {
                report.skipOperation(
                    call.pointer.description, "the operation \(method) \(path) isn't declared")
                continue
            }
            do {
                let text = try request(match, call, writer)
                calls.append(text)
            } catch let error as UsageError {
                report.skipOperation(call.pointer.description, error.description)
            }
        }
        // Each call is a function of its own, as one large function is slow to compile.
        let functions = calls.enumerated().map { index, call -> Written in
            """
                \(Self.deprecation)
                private static func call\(index)() throws -> any \(root) { try make(\(call)) }

            """
        }
        let all = calls.indices.map { index -> Written in "call\(index)" }
        let list = Lines.filled(all, 12).map { line -> Written in "            \(line)\n" }
        let text: Written =
            "\(head)\(list.joined())        ]\n    }\n\n\(functions.joined())\(tail)"
        return text.text
    }

    private func request(_ request: Request, _ call: Node, _ writer: ValueWriter) throws -> Written
    {
        var given: [String: JSON] = [:]
        for parameter in try call.list("parameters") {
            let key = "\(try parameter.requiredText("in")) \(try parameter.requiredText("name"))"
            given[key] = parameter["value"]?.json
            for (name, node) in parameter["value"]?.allMembers ?? [] {
                given["\(key)/\(name)"] = node.json
            }
        }
        if let body = call["body"] {
            given.addBody(body)
        }
        return try writer.request(request, given)
    }

    /// The protocol of all requests.
    private var root: Written {
        let hasOwn = plan.requests.contains { $0.error != nil }
        return plan.errors.type != nil && hasOwn ? plan.names.call : plan.names.request
    }

    private var head: Written {
        """
        // swift-format-ignore-file

        import Endpoints
        import EndpointsFormats
        import Foundation

        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        /// Requests made of given values.
        nonisolated enum Calls: CallsListing {
            private static let server = \(plan.names.server)(
                baseUrl: URL(string: "https://server.invalid")!)

            /// Makes each request, in the order of the values.
            static var requests: [() throws -> any \(root)] { (Self.self as any CallsListing.Type).calls }

            /// Prints a line of JSON for each request: name, method, URL, headers, body in base64.
            static func printAll() throws {
                for make in requests { try show(make) }
            }

            \(Self.deprecation)
            fileprivate static var calls: [() throws -> any \(root)] {
                [

        """
    }

    /// Only what is deprecated itself may use deprecated declarations without a warning.
    private static let deprecation: Written = "@available(*, deprecated)"

    private var tail: Written {
        """

            private static func show(_ make: () throws -> any \(root)) throws {
                var line: [String: Any] = [:]
                do {
                    let call = try make()
                    line["name"] = "\\(type(of: call))"
                    let request = try call.urlRequest(in: server)
                    line["method"] = request.httpMethod
                    line["url"] = request.url?.absoluteString
                    line["headers"] = request.allHTTPHeaderFields ?? [:]
                    line["body"] = try body(request).base64EncodedString()
                } catch { line["error"] = "\\(error)" }
                let data = try JSONSerialization.data(
                    withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
                print(String(decoding: data, as: UTF8.self))
            }

            /// A value that may throw while it is made.
            private static func make(
                _ request: @autoclosure () throws -> any \(root)
            ) throws -> any \(root) { try request() }

            private static func body(_ request: URLRequest) throws -> Data {
                if let body = request.httpBody { return body }
                return try request.upload?.data() ?? Data()
            }
        }

        /// Deprecated declarations can be used without a warning through a protocol.
        nonisolated private protocol CallsListing {
            static var calls: [() throws -> any \(root)] { get }
        }

        \(ValueWriter.functions)
        """
    }
}

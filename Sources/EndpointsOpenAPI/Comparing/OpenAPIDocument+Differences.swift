import EndpointsDocuments
import Foundation

/// What is declared in one way and documented in another.
public struct OpenAPIDifference: Hashable, Sendable, CustomStringConvertible {
    /// The operation, such as `GET /users/{id}`.
    public let operation: String
    /// What differs; "there" is in the API's document, and "here" in the declarations.
    public let reason: String

    /// The operation and what differs.
    public var description: String { "`\(operation)`: \(reason)" }

    /// Why nothing is compared.
    fileprivate static func ofCall(_ reason: String) -> OpenAPIDifference {
        OpenAPIDifference(operation: "differences(from:)", reason: reason)
    }
}

extension OpenAPIDocument {
    /// What differs between the declarations, of which this is the document, and an API's document.
    ///
    ///     let document = OpenAPIDocument(of: GetUser.self, ListUsers.self)
    ///     let theirs = try OpenAPIDocument(contentsOf: file)
    ///     #expect(document.differences(from: theirs).isEmpty)
    ///     // `GET /users/{id}`: the parameter `page` is an integer there and text here
    ///     // `GET /users/{id}`: the response's `name` may be null there
    ///
    /// A difference is reported if a request could be refused, or if a response could not be
    /// decoded or lacks what is declared. So a property of a response that isn't declared is no
    /// difference, but a property of a body is one if the API's document doesn't have it. Nothing
    /// is said of types that are any value in one of the documents, and of the elements of a list
    /// of lists or objects in a query, for which OpenAPI defines no text. Of the parts of a `oneOf`
    /// or `anyOf`, one has to fit: that with the same constants, such as `type`, if they have some.
    /// What differs in a schema that several members of a value refer to is reported for the first.
    ///
    /// Paths are compared with the paths of the servers before them, and without the names of their
    /// values. If the documents are swapped, or no request types are given, that is the only
    /// difference.
    /// - Parameters:
    ///   - theirs: The API's own document.
    ///   - includingUndeclared: Whether operations that aren't declared are differences.
    public func differences(
        from theirs: OpenAPIDocument, includingUndeclared: Bool = false
    ) -> [OpenAPIDifference] {
        if declared == nil, theirs.declared != nil {
            return [
                .ofCall(
                    """
                    the documents are swapped, so nothing is compared; write \
                    OpenAPIDocument(of: …).differences(from: theirs)
                    """)
            ]
        }
        if declared?.isEmpty == true, !includingUndeclared {
            return [
                .ofCall(
                    """
                    no request types are given, so nothing is compared; write \
                    OpenAPIDocument(of: GetUser.self, …)
                    """)
            ]
        }
        return DeepStack.run { allDifferences(from: theirs, includingUndeclared) }
    }

    private func allDifferences(
        from theirs: OpenAPIDocument, _ includingUndeclared: Bool
    ) -> [OpenAPIDifference] {
        guard let (other, own) = try? (Document(theirs.root), Document(root)) else { return [] }
        let (there, here) = (ComparedDocument(other), ComparedDocument(own))
        let sent = SchemaComparison(there: there, here: here, reads: false)
        let read = SchemaComparison(there: there, here: here, reads: true)
        let (expected, declared) = (theirs.operations(in: other), operations(in: own))
        let failed = SchemaComparison(
            there: there, here: here, reads: true, others: there.errorMembers(of: expected))
        var found: [OpenAPIDifference] = []
        var matched: Set<String> = []
        var known: [String: [ComparedOperation]] = [:]
        for operation in expected {
            for path in operation.plainPaths(in: other) {
                known[path, default: []].append(operation)
            }
        }
        for operation in declared {
            let same = operation.plainPaths(in: own).sorted().flatMap { known[$0] ?? [] }
            let compared = same.filter { $0.method == operation.method }.map { other in
                let comparison = OperationComparison(
                    there: other, here: operation, sent: sent, read: read, failed: failed)
                return (other: other, reasons: comparison.reasons())
            }
            let closest = compared.min { one, other in
                let (isOne, isOther) = (
                    matched.contains(one.other.name), matched.contains(other.other.name)
                )
                return one.reasons.count == other.reasons.count
                    ? !isOne && isOther : one.reasons.count < other.reasons.count
            }
            guard let (other, reasons) = closest else {
                let methods = Set(same.map(\.method)).sorted().joined(separator: ", ")
                let reason =
                    methods.isEmpty ? "isn't there" : "isn't there; the path has \(methods)"
                found.append(OpenAPIDifference(operation: operation.name, reason: reason))
                continue
            }
            matched.insert(other.name)
            var seen: Set<String> = []
            found += reasons.filter { seen.insert($0).inserted }.map {
                OpenAPIDifference(operation: other.name, reason: $0)
            }
        }
        guard includingUndeclared else { return found }
        return found
            + expected.filter { !matched.contains($0.name) }.map {
                OpenAPIDifference(operation: $0.name, reason: "isn't declared here")
            }
    }
}

extension ComparedDocument {
    /// The names of the members that the error responses of the operations have.
    fileprivate func errorMembers(of operations: [ComparedOperation]) -> Set<String> {
        let responses = operations.flatMap { $0.node["responses"]?.members ?? [] }
        var queue = responses.filter { !$0.name.hasPrefix("2") && !$0.name.hasPrefix("3") }
            .flatMap { (try? document.content(of: $0.node)) ?? [] }
            .compactMap { $0.node["schema"] }
        var (names, seen) = (Set<String>(), Set<String>())
        while let node = queue.popLast() {
            guard seen.insert(place(of: node)).inserted else { continue }
            let schema = schema(node)
            names.formUnion(schema.properties.keys)
            queue += Array(schema.properties.values) + schema.parts
            queue += [schema.items, schema.additional].compactMap(\.self)
        }
        return names
    }
}

extension ComparedOperation {
    var name: String { "\(method) \(path)" }

    /// The path alone and after each server's, without the names of its values. With a query
    /// or a fragment, documents tell operations of the same path and method apart.
    fileprivate func plainPaths(in document: Document) -> Set<String> {
        let path = styledPath(in: document)
        return Set(
            ([""] + basePaths).map {
                "\($0)/\(path.prefix { $0 != "#" && $0 != "?" })".replacingOccurrences(
                    of: #"\{[^{}]*\}"#, with: "{}", options: .regularExpression)
            }.map {
                $0.split(separator: "/").joined(separator: "/") + ($0.hasSuffix("/") ? "/" : "")
            })
    }
}

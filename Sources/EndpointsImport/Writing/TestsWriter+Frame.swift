import EndpointsDocuments

extension TestsWriter {
    var head: Written {
        """
        // swift-format-ignore-file

        import Endpoints
        import EndpointsFormats
        import EndpointsTesting
        import Foundation
        import Testing

        @testable import \(.name(module))

        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        @Suite nonisolated struct DocumentTests {
        """
    }

    var tail: Written {
        """

        /// Decodes an example, and encodes it again where its type can be encoded.
        nonisolated private func read<Value: Decodable>(
            _ type: Value.Type, from example: String, by decoder: some DecoderType, as encoder: some EncoderType
        ) throws {
            let value = try decoder.decode(type, from: Data(example.utf8))
            guard let value = value as? any Encodable else { return }
            try expect(encoder.encode(value), equals: example)
        }

        /// Decodes an example with members that the document doesn't name.
        nonisolated private func read<Value: Decodable>(
            _ type: Value.Type, from example: String, by decoder: some DecoderType
        ) throws { _ = try decoder.decode(type, from: Data(example.utf8)) }

        \(member)
        /// Makes a request of an example; its body is the example's.
        nonisolated private func send<R: RequestType>(_ request: R, body example: String? = nil) throws
        where R.Environment == \(plan.names.server), R.Response: Sendable {
            let server = \(plan.names.server)(baseUrl: URL(string: "https://server.invalid")!)
            let body = try request.urlRequest(in: server).httpBody ?? Data()
            if let example { try expect(body, equals: example) }
        }

        nonisolated private func expect(_ data: Data, equals example: String) throws {
            let values = try [data, Data(example.utf8)].map { try plain(JSONDecoder().decode(JSONValue.self, from: $0)) }
            #expect(values[0] == values[1])
        }

        /// A value without what has two forms: `null` and absent, and dates of RFC 3339.
        nonisolated private func plain(_ value: JSONValue) -> JSONValue {
            switch value {
            case .object(let members): .object(members.filter { $0.value != .null }.mapValues(plain))
            case .array(let elements): .array(elements.map(plain))
            case .string(let text): (try? date(text)).map { .number(($0.timeIntervalSince1970 * 1000).rounded()) } ?? value
            case .integer(let number): .number(Double(number))
            default: value
            }
        }

        \(ValueWriter.functions)
        """
    }
}

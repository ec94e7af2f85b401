import CoreMetrics
import Endpoints
import EndpointsMetrics
import EndpointsMiddleware
import EndpointsTracing
import Foundation
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing

/// The table `conventions.txt`, which `conventions.py` compares with the conventions' own model.
@Suite("OpenTelemetry's conventions for HTTP clients")
struct ConventionTests {
    struct Row {
        let (subject, attribute, type, level): (String, String, String, String)
        let isSent: Bool
    }

    static func rows() throws -> [Row] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("conventions.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { line in
                let cells = line.split(separator: " ", maxSplits: 4).map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                try #require(cells.count == 5, "\(line)")
                return Row(
                    subject: cells[0], attribute: cells[1], type: cells[2], level: cells[3],
                    isSent: cells[4] == "yes")
            }
    }

    /// Loads that together have every attribute.
    static func load() async {
        for transport in [
            Answer(200, "ok"), Answer(503, "no"), Answer(throwing: URLError(.timedOut)),
            Answer(throwing: CancellationError()),
        ] {
            let transport = transport.traced().metered().retrying(RetryPolicy(firstDelay: 0))
            _ = try? await transport.response(in: server, with: GetUser(id: 1))
            _ = try? await transport.response(in: server, with: AddUser(body: "a"))
            _ = try? await transport.response(in: server, with: Lock())
        }
    }

    /// The attributes of each span and each value of a metric: names and types.
    static func sent() async -> [(subject: String, attributes: [String: String])] {
        let (tracer, metrics) = (InMemoryTracer(), TestMetrics())
        await withTracer(tracer) { await withMetricsFactory(metrics) { await load() } }
        var sent: [(subject: String, attributes: [String: String])] = []
        for span in tracer.finishedSpans {
            var attributes: [String: String] = [:]
            span.attributes.forEach { name, value in
                switch value {
                case .int32, .int64: attributes[name] = "int"
                case .string: attributes[name] = "string"
                default: attributes[name] = "\(value)"
                }
            }
            sent.append(("span", attributes))
        }
        let measured =
            metrics.timers.map { ($0.label, $0.dimensions) }
            + metrics.meters.map { ($0.label, $0.dimensions) }
            + metrics.recorders.map { ($0.label, $0.dimensions) }
        for (label, dimensions) in measured {
            let names = dimensions.map { ($0.0, "string") }
            #expect(Set(names.map(\.0)).count == names.count, "\(label)")
            sent.append((label, Dictionary(names) { $1 }))
        }
        return sent
    }

    @Test("What is sent is what the table says, with its types, and each required attribute always")
    func table() async throws {
        let (rows, sent) = (try Self.rows(), await Self.sent())
        let subjects = Set(rows.filter(\.isSent).map(\.subject))
        #expect(Set(sent.map(\.subject)) == subjects)
        for subject in subjects {
            let rows = rows.filter { $0.subject == subject }
            let ours = sent.filter { $0.subject == subject }.map(\.attributes)
            let names = ours.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
            #expect(names == Set(rows.filter(\.isSent).map(\.attribute)), "\(subject)")
            for row in rows where row.level == "required" {
                #expect(ours.allSatisfy { $0[row.attribute] != nil }, "\(subject) \(row.attribute)")
            }
            // The dimensions of a metric are texts, whatever the type.
            for row in rows where row.isSent && subject == "span" {
                let type = row.type == "enum" ? "string" : row.type
                #expect(
                    Set(ours.compactMap { $0[row.attribute] }) == [type],
                    "\(subject) \(row.attribute)")
            }
        }
    }
}

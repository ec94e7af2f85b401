import EndpointsFormats
import Foundation
import Testing

@Suite("Dates of RFC 3339 in JSON") struct RFC3339Tests {
    private static func read(_ text: String) throws -> Date {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        return try decoder.decode(Date.self, from: Data("\"\(text)\"".utf8))
    }

    private static func write(_ date: Date) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .rfc3339
        return String(
            String(decoding: try encoder.encode(date), as: UTF8.self).dropFirst().dropLast())
    }

    @Test(
        "A date is read, and written back equal",
        arguments: [
            ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z"),
            ("2026-03-01t10:00:00z", "2026-03-01T10:00:00Z"),
            ("2026-03-01T11:30:00+01:30", "2026-03-01T10:00:00Z"),
            ("2026-03-01T08:00:00-02:00", "2026-03-01T10:00:00Z"),
            ("2026-03-01T10:00:00.5Z", "2026-03-01T10:00:00.500Z"),
            ("2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00.123Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("1500-02-28T00:00:00Z", "1500-02-28T00:00:00Z"),
            ("1582-10-10T00:00:00Z", "1582-10-10T00:00:00Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
        ])
    func dates(text: String, written: String) throws {
        let date = try Self.read(text)
        #expect(try Self.write(date) == written)
        #expect(try Self.read(written).timeIntervalSince(date).magnitude < 0.001)
    }

    @Test(
        "What is no date is an error",
        arguments: [
            "2026-02-31T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-03-01", "2026-03-01T10:00:00", "2026-03-01T24:00:00Z",
            "2026-03-01T10:60:00Z", "2026-03-01T10:00:61Z", "2026-03-01T10:00:00.Z",
            "2026-03-01T10:00:00+1:00", "2026-03-01T10:00:00+24:00", "26-03-01T10:00:00Z",
            "2026-03-01T10:00:00Z ", "", "２０２６-03-01T10:00:00Z",
        ])
    func refused(text: String) {
        #expect(throws: DecodingError.self) { try Self.read(text) }
    }
}

import Endpoints
import EndpointsShared
import Foundation

/// What a file beside an unfinished download says of it, so that a later process can go on.
///
///     endpoints-part 1
///     9f86d081884c7d659a2feaa0…   // a digest of the URL without its query
///     1000                        // the length of the whole file, or `*`
///     0-499 700-799               // the bytes that are in the part
///     7.0                         // for how many days it is kept
///     "v1"                        // the validator
///     0b2d31f2a0…                 // a digest of the lines above
///
/// Text that was changed, or was written only in part, isn't read.
struct PartRecord: Equatable, Sendable {
    /// The longest record that is read or written, in bytes.
    static let limit = 64 << 10
    private static let format = "endpoints-part 1"

    /// The strong `ETag` or `Last-Modified` of the file.
    var validator: String
    var total: Int64?
    /// A digest of where the file was loaded from.
    var place: String
    var ranges = ByteRanges()
    /// For how many days in which nobody asks for it the part is kept.
    var days = KeptPart.part.days

    init(validator: String, total: Int64?, place: String) {
        self.validator = validator
        self.total = total
        self.place = place
    }

    /// The record in a file's bytes; `nil` if they aren't one.
    init?(_ data: Data) {
        guard let text = String(data: data, encoding: .utf8) else { return nil }
        let lines = text.components(separatedBy: "\n")
        guard lines.count == 8, lines[7].isEmpty, lines[0] == Self.format,
            Digest(lines[..<6].joined(separator: "\n")).hex == lines[6],
            lines[2] == "*" || lines[2].wholeNumber != nil,
            let ranges = ByteRanges(text: lines[3]), let days = Double(lines[4]), days > 0
        else { return nil }
        self.init(validator: lines[5], total: lines[2].wholeNumber, place: lines[1])
        self.ranges = ranges
        self.days = days
        guard ranges.end <= total ?? .max else { return nil }
    }

    /// The bytes of a file with the record; `nil` if they would be too many.
    var data: Data? {
        let text = [
            Self.format, place, total.map(String.init) ?? "*",
            ranges.all.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: " "),
            "\(days)", validator,
        ].joined(separator: "\n")
        let data = Data("\(text)\n\(Digest(text).hex)\n".utf8)
        return data.count <= Self.limit ? data : nil
    }
}

extension ByteRanges {
    fileprivate init?(text: String) {
        var ranges: [Range<Int64>] = []
        for part in text.split(separator: " ") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = String(ends[0]).wholeNumber,
                let last = String(ends[1]).wholeNumber, first <= last, last < .max
            else { return nil }
            ranges.append(first..<last + 1)
        }
        self.init(ranges)
    }
}

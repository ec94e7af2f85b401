import Foundation
import Testing

@testable import EndpointsStreams

@Suite("What is written down of a part")
struct PartRecordTests {
    static func record(_ total: Int64?) -> PartRecord {
        var record = PartRecord(validator: "\"é v1\"", total: total, place: "abc")
        record.days = 2.5
        record.ranges.insert(500..<600)
        record.ranges.insert(0..<100)
        return record
    }

    @Test("A record is read as it was written", arguments: [nil, 600, 1000])
    func read(total: Int64?) throws {
        let record = Self.record(total)
        #expect(PartRecord(try #require(record.data)) == record)
    }

    @Test("A record that is cut off, longer or changed in any byte isn't read")
    func damaged() throws {
        let data = try #require(Self.record(1000).data)
        for count in 0..<data.count { #expect(PartRecord(data.prefix(count)) == nil) }
        #expect(PartRecord(data + Data("\n".utf8)) == nil)
        for place in data.indices {
            for bit in 0..<8 {
                var other = data
                other[place] ^= 1 << UInt8(bit)
                #expect(PartRecord(other) == nil)
            }
        }
    }

    @Test("A record whose ranges are more than the file isn't read")
    func long() throws {
        #expect(PartRecord(try #require(Self.record(599).data)) == nil)
    }

    static let inserts: [(ranges: [Range<Int64>], all: [Range<Int64>], gaps: [Range<Int64>])] = [
        ([], [], [0..<100]),
        ([0..<100], [0..<100], []),
        ([0..<10, 10..<20], [0..<20], [20..<100]),
        ([10..<20, 0..<10], [0..<20], [20..<100]),
        ([0..<10, 20..<30], [0..<10, 20..<30], [10..<20, 30..<100]),
        ([0..<10, 20..<30, 10..<20], [0..<30], [30..<100]),
        ([0..<10, 20..<30, 5..<25], [0..<30], [30..<100]),
        ([20..<30, 40..<50, 0..<100], [0..<100], []),
        ([20..<30, 20..<30, 25..<26], [20..<30], [0..<20, 30..<100]),
        ([5..<5], [], [0..<100]),
    ]

    @Test("Ranges are kept in order, and those that touch are one", arguments: inserts)
    func ranges(_ row: (ranges: [Range<Int64>], all: [Range<Int64>], gaps: [Range<Int64>])) {
        var ranges = ByteRanges()
        for range in row.ranges { ranges.insert(range) }
        #expect(ranges.all == row.all)
        #expect(ranges.gaps(of: 100) == row.gaps)
        #expect(ranges.count == row.all.reduce(0) { $0 + Int64($1.count) })
        #expect(ByteRanges(row.all) == ranges)
    }
}

import Endpoints
import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Property lists whose lists are so deep, or so often the same, that Foundation's decoder would
/// end the process or take for ever.
@Suite("Property lists in responses", .timeLimit(.minutes(5)))
struct PropertyListTests {
    /// A list of lists.
    struct Lists: Decodable, Sendable {
        let lists: [Lists]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            var lists: [Lists] = []
            while !container.isAtEnd { lists.append(try container.decode(Lists.self)) }
            self.lists = lists
        }
    }

    struct Get: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "lists")
        typealias Response = Lists
        static var responseDecoder: PropertyListDecoder { PropertyListDecoder() }
    }

    struct GetBelow: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "lists")
        typealias Response = Lists
        static var responseDecoder: NestedDecoder<PropertyListDecoder> {
            PropertyListDecoder().below("a")
        }
    }

    private static func xml(_ content: String) -> Data { Data("<plist>\(content)</plist>".utf8) }

    private static func nested(_ count: Int, _ start: String = "<array>") -> String {
        let name = start.contains("dict") ? "dict" : "array"
        return String(repeating: start, count: count)
            + String(repeating: "</\(name)>", count: count)
    }

    /// A binary property list of such objects, of which the first is the outermost.
    private static func binary(
        _ objects: [[UInt8]], references: UInt8 = 1, offsetSize: Int = 4
    ) -> Data {
        var (data, offsets) = (Data("bplist00".utf8), [UInt8]())
        for object in objects {
            offsets += bytes(data.count, offsetSize)
            data += object
        }
        let table = data.count
        data += offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), references]
        return data + bytes(objects.count, 8) + bytes(0, 8) + bytes(table, 8)
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (min($0, 8) * 8)) }
    }

    /// A list that has one object so many times, and the object.
    private static func shared(_ count: Int, _ marker: UInt8, _ size: Int) -> Data {
        binary([
            [0xAF, 0x12] + bytes(count, 4) + [UInt8](repeating: 1, count: count),
            [marker, 0x12] + bytes(size, 4) + [UInt8](repeating: 0x61, count: size),
        ])
    }

    /// Each object is a list of the next one, `times` times; the last one is empty.
    private static func chain(_ count: Int, times: UInt8 = 1) -> Data {
        binary(
            (0..<count).map { index in
                let after = index + 1
                let next = [UInt8(after / 256), UInt8(after % 256)]
                return index == count - 1
                    ? [0xA0]
                    : [0xA0 | times] + (0..<times).flatMap { _ in next }
            }, references: 2)
    }

    static let deep: [(name: String, Data)] = [
        ("101 lists", xml(nested(101))), ("5,000 lists", xml(nested(5000))),
        ("no root", Data(nested(1000).utf8)),
        ("no ends", Data("<plist>\(String(repeating: "<array>", count: 1000))".utf8)),
        ("dictionaries", xml(nested(1000, "<dict><key>a</key>"))),
        ("comments", xml(nested(1000, "<array><!--</array>-->"))),
        ("instructions", xml(nested(1000, "<array><?a </array>?>"))),
        ("characters", xml(nested(1000, "<array><string><![CDATA[</array>]]></string>"))),
        ("attributes", xml(nested(1000, "<array a='/'>"))),
        (
            "ends before the start",
            Data((String(repeating: "</array>", count: 900) + nested(900)).utf8)
        ),
        ("UTF-16", xml(nested(1000)).utf16), ("in itself", binary([[0xA1, 0]])),
        ("two in each other", binary([[0xA1, 1], [0xA2, 2, 0], [0x08]])),
        ("a dictionary in itself", binary([[0xD1, 1, 0], [0x51, 0x61]])),
        ("a set in itself", binary([[0xC1, 0]])),
        ("with a long count", binary([[0xAF, 0x10, 1, 0]])),
        ("a long chain", chain(1000)), ("two to the 40th", chain(40, times: 2)),
        ("fourteen to the 90th", chain(90, times: 14)),
    ]

    /// Property lists that the decoder reads otherwise than it seems.
    static let disguised: [(name: String, Data)] = [
        ("a comment in an attribute", Data("<plist a='<!--'>\(nested(1000))</plist>".utf8)),
        ("a comment in a document type", Data("<!DOCTYPE a '<!--'>\(nested(1000))".utf8)),
        ("a short instruction", xml("<?>\(nested(1000))")),
        ("roots in each other", Data(String(repeating: "<plist>", count: 1000).utf8)),
        (
            "ends in the bytes of UTF-16",
            Data([0xFE, 0xFF])
                + xml(nested(1000, "<array><string>\u{3C2F}\u{6172}\u{7261}\u{793E}</string>"))
                .utf16BigEndian
        ),
        ("a count of 16 bytes", binary([[0xAF, 0x14] + bytes(1, 16) + [0]])),
        ("a count of 2 to the 63rd", binary([[0xAF, 0x13] + bytes(.min, 8) + [0]])),
        ("places of 9 bytes", binary([[0xA1, 0]], offsetSize: 9)),
        ("references of 9 bytes", binary([[0xA1] + bytes(0, 9)], references: 9)),
        (
            "a text of UTF-16 beyond the file",
            binary([[0xA1, 1], [0x6F, 0x11, 1, 0] + [UInt8](repeating: 0x61, count: 256)])
        ),
        ("a long text often", shared(20_000, 0x5F, 100_000)),
        ("long bytes often", shared(20_000, 0x4F, 100_000)),
    ]

    @Test(
        "Lists that are too deep, in themselves or too often the same are an error",
        arguments: deep + disguised)
    func refused(name: String, data: Data) throws {
        for decode in [Self.decode(Get.self), Self.decode(GetBelow.self)] {
            let error = #expect(throws: Get.TaskError.self, "\(name)") { _ = try decode(data) }
            #expect(
                try #require(error).description.hasSuffix("the same value too often"), "\(name)")
        }
    }

    static let usual: [(String, Data, Int)] = [
        ("100 lists", xml(nested(100)), 100),
        (
            "1,000 lists in a row",
            xml("<array>\(String(repeating: "<array></array>", count: 1000))</array>"), 2
        ),
        ("empty tags", xml("<array>\(String(repeating: "<array/>", count: 1000))</array>"), 2),
        (
            "tags with spaces",
            xml("<array>\(String(repeating: "<array ></array >", count: 1000))</array>"), 2
        ),
        (
            "tags in comments",
            xml("<array><!--\(String(repeating: "<array>", count: 1000))--></array>"), 1
        ),
        ("UTF-16", xml(nested(100)).utf16, 100), ("a binary chain", chain(100), 100),
        (
            "a document type",
            Data("<?xml version='1.0'?><!DOCTYPE plist 'a'>".utf8)
                + xml("<array><!-- <array> --><array/></array>"), 2
        ),
        ("one list often", chain(8, times: 2), 8),
    ]

    @Test("Other lists are decoded", arguments: usual)
    func accepted(name: String, data: Data, depth: Int) throws {
        let lists = try Self.decode(Get.self)(data)
        #expect(lists.depth == depth, "\(name)")
    }

    private static func decode<Request: RequestType>(
        _ type: Request.Type
    ) -> (Data) throws -> Request.Response {
        { data in
            let url = URL(fileURLWithPath: "/")
            let head = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            return try Request.decode(data, try #require(head))
        }
    }
}

extension PropertyListTests.Lists {
    fileprivate var depth: Int { 1 + (lists.map(\.depth).max() ?? 0) }
}

extension Data {
    fileprivate var utf16BigEndian: Data {
        String(decoding: self, as: UTF8.self).data(using: .utf16BigEndian) ?? self
    }

    fileprivate var utf16: Data {
        String(decoding: self, as: UTF8.self).data(using: .utf16) ?? self
    }
}

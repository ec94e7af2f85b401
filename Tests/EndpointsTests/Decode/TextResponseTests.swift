import Endpoints
import Foundation
import Testing

@Suite("Text responses")
struct TextResponseTests {
    /// A Content-Type, the bytes, and the text; `nil` is an error.
    typealias Row = (type: String?, bytes: [UInt8], text: String?)

    static let charsets: [Row] = [
        (nil, [0x63, 0xC3, 0xA9], "cé"),
        ("text/plain", [0x63, 0xC3, 0xA9], "cé"),
        ("text/plain; charset=utf-8", [0xF0, 0x9F, 0x8D, 0x95], "🍕"),
        ("text/plain; charset=UTF-8", [0xC3, 0xA9], "é"),
        ("text/plain;charset=utf8", [0xC3, 0xA9], "é"),
        ("text/plain; charset=iso-8859-1", [0xE9], "é"),
        (#"text/plain; a="b; charset=latin1"; charset=utf-8"#, [0xC3, 0xA9], "é"),
        (#"text/plain; charset="iso-8859-1""#, [0xE9], "é"),
        ("text/plain; charset=ISO-8859-1", [0x80], "€"),
        ("text/plain; charset=us-ascii", [0x61], "a"),
        ("text/plain; charset=latin1", [0xE9], "é"),
        ("text/plain; charset=windows-1252", [0x93, 0x94], "“”"),
        ("text/plain; charset=iso-8859-2", [0xB9], "š"),
        ("text/plain; charset=windows-1251", [0xCF], "П"),
        ("text/plain; charset=utf-16le", [0xE9, 0x00], "é"),
        ("text/plain; charset=utf-16be", [0x00, 0xE9], "é"),
        ("text/plain; charset=utf-16", [0xE9, 0x00], "é"),
        ("text/plain; charset=shift_jis", [0x83, 0x65], "テ"),
        ("text/plain; charset=iso-2022-jp", [0x1B, 0x24, 0x42, 0x25, 0x46, 0x1B, 0x28, 0x42], "テ"),
        (
            "text/plain; charset=iso-8859-1", [0x80, 0x81, 0x8D, 0x8F, 0x90, 0x9D],
            "€\u{81}\u{8D}\u{8F}\u{90}\u{9D}"
        ),
        ("text/plain; charset=windows-1250", [0x9A], "š"),
        ("text/plain; charset=windows-1253", [0xE1], "α"),
        ("text/plain; charset=windows-1254", [0xFE], "ş"),
    ]

    static let spellings: [Row] = [
        (#"text/plain; charset="iso-8859-1""#, [0xE9], "é"),
        ("text/plain; format=flowed; charset=iso-8859-1", [0xE9], "é"),
        ("text/plain ;CHARSET=iso-8859-1 ; a=b", [0xE9], "é"),
        ("text/plain; charset=", [0xC3, 0xA9], "é"),
        ("text/plain; charset", [0xC3, 0xA9], "é"),
        (#"text/plain; a="\""; charset=iso-8859-1"#, [0xE9], "é"),
        (#"text/plain; a="b\\"; charset=iso-8859-1"#, [0xE9], "é"),
        (#"text/plain; a="\"; charset=latin1"; charset=utf-8"#, [0xC3, 0xA9], "é"),
        ("text/plain; xcharset=iso-8859-1", [0xC3, 0xA9], "é"),
        ("charset=iso-8859-1", [0xC3, 0xA9], "é"),
        ("", [0xC3, 0xA9], "é"),
    ]

    static let marks: [Row] = [
        (nil, [0xEF, 0xBB, 0xBF, 0x61], "a"),
        ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"),
        ("text/plain; charset=utf-8", [0xFF, 0xFE, 0xE9, 0x00], "é"),
        ("text/plain; charset=utf-16le", [0xFE, 0xFF, 0x00, 0xE9], "é"),
        ("text/plain; charset=unheard-of", [0xEF, 0xBB, 0xBF, 0x61], "a"),
        (nil, [0xEF, 0xBB, 0xBF], ""),
        (nil, [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x61], "\u{FEFF}a"),
        (nil, [0xFF, 0xFE, 0xFF, 0xFE, 0x61, 0x00], "\u{FEFF}a"),
        (nil, [0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF, 0x00, 0x61], "\u{FEFF}\u{FEFF}a"),
    ]

    @Test(
        "A text response is read in the charset of its Content-Type, or else as UTF-8",
        arguments: charsets)
    func charset(row: Row) throws { try expect(row) }

    @Test("The charset is found in every way to write a Content-Type", arguments: spellings)
    func spelling(row: Row) throws { try expect(row) }

    @Test(
        "A byte order mark decides the charset before Content-Type, and is left out",
        arguments: marks)
    func mark(row: Row) throws { try expect(row) }

    private func expect(_ row: Row) throws {
        let canned = CannedResponse(bytes: row.bytes, type: row.type)
        let text = try canned.read(GetText.self)
        #expect(text == row.text)
        // `==` takes a byte order mark for nothing.
        #expect(text.unicodeScalars.elementsEqual((row.text ?? "").unicodeScalars))
        #expect(try canned.read(Fetch<String>.self) == row.text)
        #expect(try canned.read(Fetch<String?>.self) == row.text)
        #expect(try canned.read(FetchWithHead<String>.self).value == row.text)
    }

    static let unreadable: [(type: String, bytes: [UInt8], reason: String)] = [
        (
            "text/plain; charset=x-unheard-of", [0x61],
            "the charset is not supported; declare Data instead of String and decode it yourself"
        ),
        (
            "text/plain; charset=utf-32", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0],
            "the charset is not supported; declare Data instead of String and decode it yourself"
        ),
        (
            "text/plain", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61],
            "the charset is not supported; declare Data instead of String and decode it yourself"
        ),
        (
            "text/plain; charset=utf-8", [0x61, 0xE9],
            "the text is not valid in its charset (UTF-8 unless the response names another)"
                + "; declare Data instead of String and decode it yourself"
        ),
        (
            "text/plain; charset=utf-16le", [0x61, 0x00, 0x62],
            "the text is not valid in its charset (UTF-8 unless the response names another)"
                + "; declare Data instead of String and decode it yourself"
        ),
        (
            "text/plain; charset=utf-8", [0xFE, 0xFF, 0x00, 0x61, 0x00],
            "the text is not valid in its charset (UTF-8 unless the response names another)"
                + "; declare Data instead of String and decode it yourself"
        ),
        (
            "text/plain", [0xFF],
            "the text is not valid in its charset (UTF-8 unless the response names another)"
                + "; declare Data instead of String and decode it yourself"
        ),
    ]

    @Test(
        "A text response that can't be read is an error with the reason and the bytes",
        arguments: unreadable)
    func refusal(row: (type: String, bytes: [UInt8], reason: String)) throws {
        let error = try CannedResponse(bytes: row.bytes, type: row.type).error(of: GetText.self)
        #expect("\(error)" == "GetText: the response with status 200 can't be read: \(row.reason)")
        guard case .responseParseError(let httpResponse, let data, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(httpResponse.statusCode == 200)
        #expect(data == Data(row.bytes))
    }

    private struct GetText: RequestType {
        static let endpoint = Endpoint<GetText>(method: .get, path: "x")
        typealias Response = String
    }
}

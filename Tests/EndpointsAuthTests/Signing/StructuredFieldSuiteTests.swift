import EndpointsDocuments
import EndpointsStructuredFields
import Foundation
import Testing

@testable import EndpointsAuth

/// The public suite of github.com/httpwg/structured-field-tests, in the folder that the variable
/// `STRUCTURED_FIELD_TESTS` names.
@Suite("The public suite of structured fields")
struct StructuredFieldSuiteTests {
    private static let folder = ProcessInfo.processInfo.environment["STRUCTURED_FIELD_TESTS"]

    @Test("Each case of the public suite is read, written or refused as it says")
    func cases() throws {
        guard let folder = Self.folder else {
            print("The public suite of structured fields was left out: set STRUCTURED_FIELD_TESTS.")
            return
        }
        let (parsing, refused) = try run(in: URL(fileURLWithPath: folder))
        let (writing, unwritable) = try run(
            in: URL(fileURLWithPath: folder).appendingPathComponent("serialisation-tests"))
        print(
            "Structured fields: \(parsing) read (\(refused) optional ones refused), ",
            terminator: "")
        print("\(writing) written (\(unwritable) optional ones refused)")
        #expect(parsing > 1500 && writing > 500)
    }

    /// Runs all files of a folder. Returns how many cases there are, and how many were refused that
    /// may be refused.
    private func run(in folder: URL) throws -> (count: Int, refused: Int) {
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        var (count, refused) = (0, 0)
        for file in files {
            let text = try Data(contentsOf: file)
            for test in try #require(try JSONReader.read(text).elements) {
                count += 1
                if try !check(test, file.lastPathComponent) { refused += 1 }
            }
        }
        return (count, refused)
    }

    /// Checks a case; `false` if it was refused and may be.
    private func check(_ test: JSON, _ file: String) throws -> Bool {
        let name: Comment = "\(file): \(test["name"]?.text ?? "")"
        let type = Kind(rawValue: test["header_type"]?.text ?? "") ?? .item
        let mustFail = test["must_fail"]?.bool == true
        let raw = test["raw"]?.elements?.compactMap(\.text)
        let canonical = test["canonical"]?.elements?.compactMap(\.text) ?? raw ?? []
        if let raw {
            let parsed = type.parsed(raw.joined(separator: ", "))
            guard !mustFail else {
                #expect(parsed == nil, name)
                return true
            }
            if parsed == nil, test["can_fail"]?.bool == true { return false }
            let expected = try #require(test["expected"].flatMap(type.value), name)
            #expect(parsed == expected, name)
            #expect(try parsed?.serialized() == canonical.joined(separator: ", "), name)
        } else {
            let value = test["expected"].flatMap(type.value)
            let written = value.flatMap { try? $0.serialized() }
            #expect(written == (mustFail ? nil : canonical.joined(separator: ", ")), name)
        }
        return true
    }
}

private enum Field: Equatable {
    case item(StructuredItem)
    case list([StructuredMember])
    case dictionary(StructuredMap<StructuredMember>)

    func serialized() throws -> String {
        switch self {
        case .item(let item): try item.serialized()
        case .list(let list): try list.serialized()
        case .dictionary(let dictionary): try dictionary.serialized()
        }
    }
}

private enum Kind: String {
    case item, list, dictionary

    func parsed(_ text: String) -> Field? {
        switch self {
        case .item: StructuredItem(parsing: text).map(Field.item)
        case .list: [StructuredMember](parsing: text).map(Field.list)
        case .dictionary: StructuredMap<StructuredMember>(parsing: text).map(Field.dictionary)
        }
    }

    func value(_ json: JSON) -> Field? {
        switch self {
        case .item: json.item.map(Field.item)
        case .list: json.elements?.all(\.member).map(Field.list)
        case .dictionary:
            json.elements?.all { entry -> (String, StructuredMember)? in
                guard let key = entry.elements?.first?.text,
                    let member = entry.elements?.last?.member
                else { return nil }
                return (key, member)
            }.map { Field.dictionary(StructuredMap($0)) }
        }
    }
}

extension [JSON] {
    fileprivate func all<Value>(_ convert: (JSON) -> Value?) -> [Value]? {
        let values = compactMap(convert)
        return values.count == count ? values : nil
    }
}

extension JSON {
    fileprivate var member: StructuredMember? {
        guard let parts = elements, parts.count == 2 else { return nil }
        guard let items = parts[0].elements else { return item.map(StructuredMember.item) }
        guard let items = items.all(\.item), let parameters = parts[1].parameters
        else { return nil }
        return .innerList(items, parameters)
    }

    fileprivate var item: StructuredItem? {
        guard let parts = elements, parts.count == 2, let value = parts[0].bareItem,
            let parameters = parts[1].parameters
        else { return nil }
        return StructuredItem(value, parameters)
    }

    private var parameters: StructuredMap<StructuredValue>? {
        elements?.all { entry -> (String, StructuredValue)? in
            guard let key = entry.elements?.first?.text, let value = entry.elements?.last?.bareItem
            else { return nil }
            return (key, value)
        }.map { StructuredMap($0) }
    }

    private var bareItem: StructuredValue? {
        switch self {
        case .bool(let bool): .boolean(bool)
        case .string(let text): .string(text)
        case .number(let text):
            Int64(text).map(StructuredValue.integer)
                ?? Double(text).flatMap { StructuredValue.decimal($0) }
        case .object: special
        case .null, .array: nil
        }
    }

    /// A value that JSON has no type for.
    private var special: StructuredValue? {
        switch (self["__type"]?.text, self["value"]) {
        case ("token", .string(let text)): .token(text)
        case ("displaystring", .string(let text)): .displayString(text)
        case ("binary", .string(let text)): .bytes(text.base32Bytes)
        case ("date", .number(let text)): Int64(text).map(StructuredValue.date)
        default: nil
        }
    }
}

extension String {
    fileprivate var base32Bytes: [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for character in self {
            guard let digit = digits.firstIndex(of: character) else { continue }
            (bits, count) = ((bits << 5 | digit) & 0xFFFF, count + 5)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}

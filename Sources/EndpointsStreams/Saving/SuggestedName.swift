import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// The file name that the server suggests (`Content-Disposition`, RFC 6266), made safe: it is
    /// the name of a file in a folder, whatever the server sends.
    ///
    ///     // attachment; filename="report.pdf"               ->  report.pdf
    ///     // attachment; filename*=UTF-8''%E2%82%AC.txt      ->  €.txt
    ///     // attachment; filename="../../.ssh/authorized"    ->  authorized
    ///     // attachment; filename="CON.txt"                  ->  _CON.txt
    ///
    /// Left out are folders, control characters, dots and blanks at the beginning and the end, and
    /// what is longer than 200 bytes in UTF-8, but not the extension. Characters that Windows
    /// doesn't allow become `_`. `filename*` (RFC 8187) has precedence. `nil` if the response
    /// suggests no name, or nothing is left of it.
    public var suggestedName: String? {
        guard let field = value(forHTTPHeaderField: "Content-Disposition") else { return nil }
        var scanner = FieldScanner(field)
        _ = scanner.text(before: .semicolon, .comma)
        let parameters = scanner.parameters()
        func first(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        let name = first("filename*").flatMap { $0.decodedExtendedValue } ?? first("filename")
        return name.flatMap(\.safeFileName)
    }
}

extension String {
    /// The text of an extended value, such as `UTF-8'en'%E2%82%AC` (RFC 8187, section 3.2).
    fileprivate var decodedExtendedValue: String? {
        let parts = split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = String(parts[2]).percentDecodedBytes else { return nil }
        return switch parts[0].lowercased() {
        case "utf-8": String(validating: bytes)
        case "iso-8859-1": String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: nil
        }
    }

    private init?(validating bytes: [UInt8]) {
        guard let text = String(data: Data(bytes), encoding: .utf8) else { return nil }
        self = text
    }

    /// The bytes of a percent-encoded text; `nil` if a `%` isn't followed by two digits.
    private var percentDecodedBytes: [UInt8]? {
        var (bytes, rest) = ([UInt8](), Array(utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// Windows reserves these names, with any extension.
    private static let reserved: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    /// This text as the name of a file in a folder; `nil` if nothing is left.
    fileprivate var safeFileName: String? {
        let name = split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Such as those that show the rest of a name from right to left.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
                .privateUse:
                continue
            default: scalars.append("<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar)
            }
        }
        // A name that is cut may have other ends.
        var text = String(scalars).withoutDotsAtEnds.shortened(to: 200).withoutDotsAtEnds
        guard !text.isEmpty else { return nil }
        let base = text.prefix { $0 != "." }.uppercased().trimmingBlanks
        if Self.reserved.contains(base) { text = "_" + text }
        return text
    }

    private var withoutDotsAtEnds: String {
        let isEdge: (Character) -> Bool = { $0 == "." || $0.isWhitespace }
        var text = drop(while: isEdge)
        while let last = text.last, isEdge(last) { text.removeLast() }
        return String(text)
    }

    private func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        let ending = parts.count > 1 ? "." + (parts.last ?? "") : ""
        let suffix = ending.utf8.count <= 20 ? ending : ""
        var base = String(dropLast(suffix.count))
        while base.utf8.count + suffix.utf8.count > limit { base.removeLast() }
        return base + suffix
    }
}

import Foundation

extension SecretNames {
    /// The beginning of a response's body, with `…` for the values of secret names and for
    /// `secrets`.
    ///
    ///     SecretNames.usual.masked(beginningOf: Data(#"{"id": 1, "token": "t0k3n"}"#.utf8))
    ///     // {"id": 1, "token": "…"}
    ///
    /// The values are found in JSON, forms, headers and XML, even if the text is cut off.
    /// - Parameters:
    ///   - secrets: Texts that are hidden wherever they occur.
    ///   - limit: The most bytes of `data` that are shown.
    package func masked(
        beginningOf data: Data, hiding secrets: [String] = [], upTo limit: Int = 512
    ) -> String {
        // A secret may begin before the limit and end after it, so more bytes are searched.
        let window = limit + (secrets.map(\.utf8.count).max() ?? 0)
        let bytes = Array(data.prefix(window))
        let end = min(limit, bytes.count)
        let ranges =
            namedValues(in: bytes[..<end], ofResponse: true)
            + secrets.flatMap { bytes[...].places(of: Array($0.utf8)) }
        var text: [UInt8] = []
        var shown = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound })
        where range.upperBound > shown && range.lowerBound < end {
            text += bytes[shown..<max(range.lowerBound, shown)]
            // Two ranges that overlap are shown as one `…`.
            if range.lowerBound >= shown { text += Array("…".utf8) }
            shown = range.upperBound
        }
        if shown < end { text += bytes[shown..<end] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The values of secret names in the first 4 KB of a request's body, and their beginnings up to
    /// a mark such as a comma: in `password: s3cret, user: ann`, also `s3cret`.
    package func values(inBeginningOf data: Data) -> [String] {
        let bytes = Array(data.prefix(4096))
        return namedValues(in: bytes[...]).flatMap { range in
            let value = bytes[range]
            return [value, value.prefix { !",&;]\"'".utf8.contains($0) }]
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Whether a header's value must not be shown: the policy treats the header as sensitive, or
    /// the header's name is that of a secret, such as `X-API-Key`.
    package func hides(header name: String, under policy: LoadPolicy) -> Bool {
        policy.isSensitive(Headers(name: name)) || contains(header: name)
    }

    /// Whether a header is secret: the set has its name, with or without its `X-`, or
    /// ``headerEndings`` pairs the end of its name with a name in the set. So `X-User-Token` is
    /// secret if the set has `token`, and `DD-API-KEY` if it has `api_key`.
    private func contains(header name: String) -> Bool {
        if contains(name) || name.lowercased().hasPrefix("x-") && contains(name.dropFirst(2)) {
            return true
        }
        let letters = Self.normalized(name)
        return Self.headerEndings.contains { ending, name in
            letters.hasSuffix(ending) && contains(name)
        }
    }

    /// A header is secret if its name, in lower case without `-` and `_`, ends in the first text of
    /// a pair, and the set has the second.
    private static let headerEndings = [
        ("token", "token"), ("secret", "secret"), ("password", "password"),
        ("signature", "signature"), ("apikey", "api_key"), ("authkey", "api_key"),
        ("accesskey", "api_key"), ("subscriptionkey", "api_key"), ("functionskey", "api_key"),
    ]

    /// The ranges of the values that follow secret names.
    private func namedValues(
        in bytes: ArraySlice<UInt8>, ofResponse: Bool = false
    ) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var rest = bytes
        let names = ofResponse ? inResponses : self
        while let start = rest.firstIndex(where: \.isNameByte) {
            let value: Range<Int>?
            if let element = element(after: bytes[..<start], rest[start...], names) {
                rest = rest[element.name.endIndex...]
                value = element.value
            } else {
                let name = rest[start...].prefix(while: \.isNameByte)
                rest = rest[name.endIndex...]
                // `=` without a quote after it is a sign of a URL, as in `?code=c0d3`. In a URL, a
                // `code` is secret even if the URL is in a response.
                let isQuoted = rest.dropFirst().first.map { "\"'".utf8.contains($0) } == true
                let names = rest.first == .equals && !isQuoted ? self : names
                let isSecret = names.containsPart(of: String(decoding: name, as: UTF8.self))
                let beginsLine = bytes[..<start].last.map { "\r\n".utf8.contains($0) } ?? true
                value = isSecret ? SecretText(after: rest, beginsLine).value : nil
            }
            guard let value else { continue }
            ranges.append(value)
            rest = rest[value.upperBound...]
        }
        return ranges
    }

    /// The XML element whose name begins the text, if the name is secret; otherwise `nil`.
    private func element(
        after before: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, _ names: SecretNames
    ) -> ElementText? {
        guard before.last == .less else { return nil }
        let element = ElementText(after: text)
        return names.containsPart(of: element.localName) ? element : nil
    }

    /// Whether a name such as `user[password]` has a secret part.
    package func containsPart(of name: some StringProtocol) -> Bool {
        (name.removingPercentEncoding ?? String(name))
            .split(whereSeparator: { "[].".contains($0) })
            .contains { contains($0) }
    }
}

private struct SecretText {
    private var rest: ArraySlice<UInt8>
    private(set) var value: Range<Int>?

    /// Finds the value in the text after a name, such as `: 1`, `": "text"` or `=text`.
    init(after name: ArraySlice<UInt8>, _ beginsLine: Bool) {
        rest = name
        skip("\\\"' \t")
        guard let separator = rest.first, ":=".utf8.contains(separator) else { return }
        rest = rest.dropFirst()
        skip(" \t\r\n")
        // In JSON inside a JSON string, quotes are escaped: `{\"token\": \"t0k3n\"}`.
        let escapes = rest.prefix { $0 == .backslash }.count
        rest = rest.dropFirst(escapes)
        guard let first = rest.first else { return }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            rest = rest.dropFirst()
            end(at: rest.end(ofQuote: first, escapes: escapes)?.lowerBound)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            end(at: rest.endOfBrackets)
        case _ where beginsLine && separator == UInt8(ascii: ":"):
            // A header, whose value may have commas and quotes.
            end(at: rest.firstIndex { "}<\r\n".utf8.contains($0) })
        default:
            end(at: rest.firstIndex { ",&;}]\r\n\"'<".utf8.contains($0) })
        }
    }

    private mutating func skip(_ bytes: String) {
        rest = rest.drop { bytes.utf8.contains($0) }
    }

    /// Sets the value. It ends at the index or, for `nil`, where the text is cut off.
    private mutating func end(at index: Int?) {
        let range = rest.startIndex..<(index ?? rest.endIndex)
        if !range.isEmpty { value = range }
    }
}

extension UInt8 {
    var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-.%[]".utf8.contains(self)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The range of the quote that ends a quoted text, with the backslashes that belong to the
    /// quote; `nil` if the text is cut off before it.
    ///
    /// - Parameter escapes: How many backslashes are before the quote that begins the text: 0, or 1
    ///   in JSON inside a JSON string, or 3 in JSON inside that one.
    fileprivate func end(ofQuote quote: UInt8, escapes: Int) -> Range<Int>? {
        var backslashes = 0
        for (index, byte) in zip(indices, self) {
            if byte == quote, Self.isEnd(backslashes, escapes) {
                return index - Swift.min(backslashes, escapes)..<index + 1
            }
            backslashes = byte == .backslash ? backslashes + 1 : 0
        }
        return nil
    }

    /// Whether a quote after this many backslashes ends the text that began with a quote after
    /// `escapes` backslashes, or ends an outer text that it is in.
    private static func isEnd(_ backslashes: Int, _ escapes: Int) -> Bool {
        var (backslashes, escapes) = (backslashes, escapes)
        while escapes > 0, backslashes % 2 == 1 {
            // Reading the outer text makes one backslash of each pair, and removes the last
            // backslash, which escapes the quote.
            (backslashes, escapes) = (backslashes / 2, escapes / 2)
        }
        return backslashes % 2 == 0
    }

    /// The index after the bracket that closes the first bracket; `nil` if the text is cut off.
    fileprivate var endOfBrackets: Int? {
        var depth = 0
        var index = startIndex
        while index < endIndex {
            switch self[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let escapes = self[..<index].reversed().prefix { $0 == .backslash }.count
                guard let end = self[(index + 1)...].end(ofQuote: .quote, escapes: escapes)
                else { return nil }
                index = end.upperBound - 1
            default: break
            }
            index += 1
            if depth == 0 { return index }
        }
        return nil
    }

    fileprivate func places(of bytes: [UInt8]) -> [Range<Int>] {
        guard let first = bytes.first else { return [] }
        var places: [Range<Int>] = []
        var rest = self
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: bytes) {
                places.append(start..<start + bytes.count)
                rest = rest.dropFirst(bytes.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return places
    }
}

import Foundation

extension String {
    /// The words of a name: `get_user-byID` has `get`, `user`, `by` and `ID`.
    var words: [String] {
        var words: [String] = []
        var word = ""
        var isLastUpper = false
        let scalars = Array(folded.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            guard scalar != "_", scalar.isOfName else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let isUpper = scalar.isUpper
            if isUpper, !word.isEmpty {
                let isBeforeLower = index + 1 < scalars.count && scalars[index + 1].isLower
                if !isLastUpper || isBeforeLower {
                    words.append(word)
                    word = ""
                }
            }
            isLastUpper = isUpper
            word.unicodeScalars.append(scalar)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// Signs that mean something in a name, as words: `+1` and `-1` stay apart.
    private var folded: String {
        switch first {
        case "+" where count > 1: "plus " + dropFirst()
        case "-" where count > 1: "minus " + dropFirst()
        default: self
        }
    }

    /// The name of a property: `user_id` is `userId`, and `userID` stays as it is.
    var lowerCamel: String {
        if isWord, first?.isLowercase == true { return self }
        let words = self.words
        guard let first = words.first else { return "" }
        return ([first.lowercased()] + words.dropFirst().map(\.capitalizedWord)).joined().startable
    }

    /// The name of a type: `user_id` is `UserId`.
    var upperCamel: String {
        if isWord, contains(where: \.isLowercase) {
            return (prefix(1).uppercased() + dropFirst()).startable
        }
        return words.map(\.capitalizedWord).joined().startable
    }

    /// Only letters and digits, of any script.
    private var isWord: Bool { allSatisfy(\.isOfWord) }

    private var capitalizedWord: String {
        let isUpper = count > 1 && !contains(where: \.isLowercase)
        return prefix(1).uppercased() + (isUpper ? dropFirst().lowercased() : String(dropFirst()))
    }

    /// What a header is called in Swift: `X-Request-Id` is a request's id (RFC 6648).
    var withoutX: String {
        let rest = dropFirst(2)
        return lowercased().hasPrefix("x-") && rest.first?.isLetter == true ? String(rest) : self
    }

    /// The last words of a name that has more than 60 characters, or the beginning of its last
    /// word.
    var shortened: String {
        guard count > 60 else { return self }
        var (kept, length) = ([String](), 0)
        for word in words.reversed() {
            length += word.count
            if length > 60 && !kept.isEmpty { break }
            kept.insert(word, at: 0)
        }
        return String(kept.joined().prefix(60)).startable
    }

    /// The first word, which is a verb, and the last ones of a name that has more than 60
    /// characters.
    var shortenedCall: String {
        guard count > 60, let verb = words.first else { return self }
        var (kept, length) = ([String](), verb.count)
        for word in words.dropFirst().reversed() {
            length += word.count
            if length > 60 { break }
            kept.insert(word, at: 0)
        }
        return kept.isEmpty ? shortened : ([verb] + kept).joined().startable
    }

    /// A name can't begin with a digit, nor with a mark that belongs to the letter before it.
    private var startable: String { first?.isLetter != false ? self : "_\(self)" }

    var trimmed: String {
        // Most texts begin and end so, and are as they are.
        if let first = utf8.first, let last = utf8.last,
            first.isASCIIWithoutSpace, last.isASCIIWithoutSpace
        {
            return self
        }
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// One of several: `users` is `user`, `entries` is `entry`.
    var singular: String {
        for (many, one) in Self.singulars where lowercased().hasSuffix(many) {
            return dropLast(many.count)
                + (suffix(many.count).first?.isUppercase == true
                    ? one.prefix(1).uppercased() + one.dropFirst() : one)
        }
        if hasSuffix("ies"), count > 4 { return dropLast(3) + "y" }
        if ["sses", "xes", "shes", "tches", "rches", "nches"].contains(where: hasSuffix) {
            return String(dropLast(2))
        }
        if hasSuffix("s"), !["ss", "us", "sis"].contains(where: hasSuffix), count > 3 {
            return String(dropLast())
        }
        return self
    }

    /// The word for several, where the rule gives one of which ``singular`` is this one.
    var plural: String {
        let isUncounted = ["data", "info", "media"].contains(where: lowercased().hasSuffix)
        guard singular == self, !isUncounted else { return self }
        let isAfterVowel = dropLast().last.map { "aeiou".contains($0) } ?? true
        let many =
            hasSuffix("y") && !isAfterVowel
            ? dropLast() + "ies"
            : ["s", "x", "ch", "sh"].contains(where: hasSuffix) ? self + "es" : self + "s"
        return many.singular == self ? many : self
    }

    /// Words that aren't one of several by the rule.
    private static let singulars = [
        ("series", "series"), ("species", "species"), ("news", "news"), ("movies", "movie"),
        ("cookies", "cookie"), ("statuses", "status"), ("aliases", "alias"), ("indices", "index"),
        ("children", "child"), ("people", "person"), ("alias", "alias"), ("bias", "bias"),
        ("canvas", "canvas"), ("atlas", "atlas"), ("axis", "axis"), ("analytics", "analytics"),
        ("cors", "cors"), ("redis", "redis"), ("postgres", "postgres"),
        ("kubernetes", "kubernetes"),
    ]
}

extension String {
    /// Whether a text is in this one, byte by byte.
    func has(_ part: String) -> Bool {
        let found = utf8.withContiguousStorageIfAvailable { whole in
            part.utf8.withContiguousStorageIfAvailable { part in
                guard let first = part.first else { return true }
                var rest = whole[...]
                while rest.count >= part.count, let place = rest.firstIndex(of: first) {
                    rest = rest[place...]
                    if rest.starts(with: part) { return true }
                    rest = rest.dropFirst()
                }
                return false
            }
        }
        return (found ?? nil) ?? contains(part)
    }
}

extension String {
    /// Whether a word is in this text, and not only the letters of a longer one.
    func hasWord(_ word: String) -> Bool {
        guard has(word) else { return false }
        return ranges(of: word).contains { range in
            let before =
                range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
            let after = range.upperBound == endIndex ? nil : self[range.upperBound]
            return [before, after].allSatisfy { $0?.isOfWord != true && $0 != "_" }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIIWithoutSpace: Bool { self > 0x20 && self < 0x7F }
}

extension Unicode.Scalar {
    fileprivate var isUpper: Bool {
        isASCII ? ("A"..."Z").contains(self) : properties.isUppercase
    }

    fileprivate var isLower: Bool {
        isASCII ? ("a"..."z").contains(self) : properties.isLowercase
    }
}

extension Character {
    /// Whether the character is a letter or a digit that a name in Swift can have.
    fileprivate var isOfWord: Bool {
        unicodeScalars.allSatisfy { $0 != "_" && $0.isOfName }
    }
}

import Endpoints

extension FormEncoder {
    func name(of key: some CodingKey, in codingPath: [any CodingKey]) -> String {
        switch keyEncodingStrategy {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: key.stringValue.inSnakeCase
        case .custom(let convert): convert(codingPath + [key]).stringValue
        }
    }
}

extension String {
    /// The words of a name in lower case, with `_` between them: `userID` becomes `user_id`.
    ///
    /// As in `JSONEncoder`, upper-case letters in a row, with digits after them, are one word. But
    /// if a lower-case letter follows, the last character of the row begins the next word:
    /// `myURLPath` becomes `my_url_path`, and `myMP3file` becomes `my_mp_3file`. The first
    /// character of the name isn't part of a row: `URLPath` becomes `u_rl_path`.
    fileprivate var inSnakeCase: String {
        var words: [Substring] = []
        var (word, rest) = (self[...], dropFirst())
        func endWord(at index: Index) {
            words.append(word[..<index])
            word = word[index...]
        }
        while let upper = rest.firstIndex(where: \.isUppercase) {
            endWord(at: upper)
            guard let lower = rest[upper...].firstIndex(where: \.isLowercase) else { break }
            let last = index(before: lower)
            if last != upper { endWord(at: last) }
            rest = rest[lower...].dropFirst()
        }
        return (words + [word]).map { $0.lowercased() }.joined(separator: "_")
    }
}

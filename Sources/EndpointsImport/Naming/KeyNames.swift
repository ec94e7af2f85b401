/// How `JSONDecoder` and `JSONEncoder` convert keys; the written coders use the same.
enum KeyNames {
    /// What `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase` makes of a key.
    static func camel(_ key: String) -> String {
        guard key.contains("_"), let first = key.firstIndex(where: { $0 != "_" }),
            let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let parts = key[first...last].split(separator: "_")
        let middle: String
        if parts.count == 1 {
            middle = String(key[first...last])
        } else {
            middle = ([parts[0].lowercased()] + parts.dropFirst().map { capitalized($0) }).joined()
        }
        return key[..<first] + middle + key[key.index(after: last)...]
    }

    private static func capitalized(_ part: Substring) -> String {
        part.prefix(1).uppercased() + part.dropFirst().lowercased()
    }

    /// What `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase` makes of a key.
    static func snake(_ key: String) -> String {
        var words: [String] = []
        var word = ""
        let characters = Array(key)
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase {
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                let last = characters[index - 1]
                if !last.isUppercase || (next?.isLowercase == true) {
                    words.append(word)
                    word = ""
                }
            }
            word.append(character)
        }
        words.append(word)
        return words.map { $0.lowercased() }.joined(separator: "_")
    }
}

import Foundation

/// How `JSONDecoder` and `JSONEncoder` convert keys.
package enum SnakeCase {
    /// What `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase` makes of a key.
    package static func camel(_ key: String) -> String {
        guard key.utf8.contains(UInt8(ascii: "_")),
            let first = key.firstIndex(where: { $0 != "_" }),
            let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let parts = key[first...last].split(separator: "_")
        let middle =
            parts.count == 1
            ? String(key[first...last])
            : ([parts[0].lowercased()] + parts.dropFirst().map(\.capitalized)).joined()
        return key[..<first] + middle + key[key.index(after: last)...]
    }

    /// What `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase` makes of a key.
    package static func snake(_ key: String) -> String {
        var words: [Substring] = []
        var (word, rest) = (key[...], key.dropFirst())
        func endWord(at index: String.Index) {
            words.append(word[..<index])
            word = word[index...]
        }
        while let upper = rest.firstIndex(where: \.isUppercase) {
            endWord(at: upper)
            guard let lower = rest[upper...].firstIndex(where: \.isLowercase) else { break }
            let last = key.index(before: lower)
            if last != upper { endWord(at: last) }
            rest = rest[lower...].dropFirst()
        }
        return (words + [word]).map { $0.lowercased() }.joined(separator: "_")
    }
}

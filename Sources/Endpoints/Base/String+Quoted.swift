extension String {
    /// The text in quotes, for a message. Quotes, backslashes, control characters and line
    /// separators are escaped.
    package var quoted: String {
        debugDescription.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            // `debugDescription` escapes only those in ASCII.
            case .control, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

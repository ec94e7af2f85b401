extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let percent = UInt8(ascii: "%")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let backslash = UInt8(ascii: #"\"#)
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")

    var isDigit: Bool { (0x30...0x39).contains(self) }
}

import EndpointsStructuredFields
import Testing

@Suite("What is read of structured fields (RFC 9651)")
struct StructuredReaderTests {
    /// The members that a reader goes to, with a `!` if the field isn't valid.
    private static func members(_ field: String, isList: Bool) -> [String] {
        var reader = StructuredReader(field)
        var members: [String] = []
        if isList {
            while reader.nextMember() { members.append(reader.value().text) }
        } else {
            while let key = reader.nextKey() { members.append("\(key)=\(reader.value().text)") }
        }
        return members + (reader.reachesEnd() ? [] : ["!"])
    }

    @Test(
        "A dictionary's values are read without its parameters and inner lists",
        arguments: [
            ("", []), ("a=1", ["a=1"]), (" a=1;x;y=2 , b;z ,\tc=\"d\" ", ["a=1", "b=true", "c=d"]),
            ("a=(1 2);x, b=()", ["a=-", "b=-"]), ("a=1, a=2", ["a=1", "a=2"]),
            ("a=1,", ["a=1", "!"]), ("a=1;X, b=2", ["a=1", "!"]), ("a=(1, b=2", ["a=-", "!"]),
            ("a=((1)), b=2", ["a=-", "!"]), ("a=(1;x=(2)), b=2", ["a=-", "!"]),
            ("a;b=(1)", ["a=true", "!"]), ("a=1 b=2", ["a=1", "!"]), ("A=1", ["!"]),
            ("a=, b=2", ["a=-", "!"]),
        ])
    func dictionary(field: String, members: [String]) {
        #expect(Self.members(field, isList: false) == members)
    }

    @Test(
        "A list's values are read without its parameters and inner lists",
        arguments: [
            ("", []), ("100;w=60, 1.5", ["100", "1500/1000"]),
            ("a, (b c), :aGk=:", ["a", "-", "hi"]),
            ("?0, @5, %\"%c3%a9\"", ["false", "@5", "é"]), ("limit=100", ["limit", "!"]),
            ("(1 2", ["-", "!"]), ("1,,2", ["1", "-", "!"]), (",", ["-", "!"]),
            (";a", ["-", "!"]), ("((((((((", ["-", "!"]),
        ])
    func list(field: String, members: [String]) {
        #expect(Self.members(field, isList: true) == members)
    }

    @Test("The parameters of a value and those of an inner list are read where they come")
    func parameters() {
        var reader = StructuredReader("a;x=1;y, (b;z=?0 c);w, d;v=;u")
        var read: [String] = []
        while reader.nextMember() {
            if reader.beginsInnerList() {
                while reader.nextInnerItem() {
                    read.append("(" + reader.value().text)
                    while let (name, value) = reader.nextParameter() {
                        read.append("\(name)=\(Optional(value).text)")
                    }
                }
            } else {
                read.append(reader.value().text)
            }
            while let (name, value) = reader.nextParameter() {
                read.append("\(name)=\(Optional(value).text)")
            }
        }
        #expect(read == ["a", "x=1", "y=true", "(b", "z=false", "(c", "w=true", "d"])
        let reachesEnd = reader.reachesEnd()
        #expect(!reachesEnd)
    }

    @Test(
        "A field that is an item has its value, whatever its parameters",
        arguments: [
            ("?1", "true"), (" ?0;a=1 ", "false"), ("-7", "-7"), ("a", "a"), ("", "-"),
            ("?1;", "-"), ("?1 a", "-"), ("1, 2", "-"), ("(1)", "-"), ("\t1", "-"), ("1;A", "-"),
        ])
    func item(field: String, text: String) {
        #expect(StructuredValue(item: field).text == text)
    }
}

extension StructuredValue? {
    fileprivate var text: String {
        switch self {
        case .integer(let number)?: "\(number)"
        case .decimal(let thousandths)?: "\(thousandths)/1000"
        case .string(let text)?, .token(let text)?, .displayString(let text)?: text
        case .bytes(let bytes)?: String(decoding: bytes, as: UTF8.self)
        case .boolean(let isTrue)?: "\(isTrue)"
        case .date(let seconds)?: "@\(seconds)"
        case nil: "-"
        }
    }
}

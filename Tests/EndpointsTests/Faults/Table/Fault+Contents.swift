extension Fault {
    static let contents: [Fault] = [
        Fault("wrong-charset", .named),
        Fault(
            "wrong-charset-text",
            .notText, promise: .text),
        Fault("unknown-charset", .named),
        Fault(
            "unknown-charset-text",
            .unknownCharset, promise: .text),
        Fault("latin-1-without-charset", .notText(at: "name")),
        Fault(
            "latin-1-text-without-charset",
            .notText, promise: .text),
        Fault("latin-1-with-charset", .notText(at: "name")),
        Fault("no-content-type", .named),
        Fault("html-for-json", .notJSON),
        Fault("utf8-bom", .named),
        Fault("utf16-bom", .named),
        Fault("utf32", .named),
        Fault("invalid-utf8-in-body", .notText(at: "name")),
        Fault("nul-in-body", .notJSON),
        Fault("empty-json", .empty(200)),
        Fault("null-json", .responseParseError("the value at the top is null or missing")),
        Fault("truncated-json", .notJSON),
        Fault("trailing-garbage", .notJSON),
        Fault("nested-json", .notJSON),
        Fault("nested-objects", .notJSON),
        Fault("huge-integer", .notDouble(at: "number")),
        Fault("huge-exponent", .notDouble(at: "number")),
        Fault("integer-beyond-64-bits", .response("Thing(number: 1.8446744073709552e+19)")),
        Fault("not-a-number-json", .notJSON),
        Fault(
            "duplicate-keys", .response("Thing(name: first)"),
            platform: "JSONDecoder takes the first"),
        Fault("lone-surrogate", .notText(at: "name")),
        Fault("nul-escaped", .response("Thing(name: a\0b)")),
    ]
}

import Endpoints
import Foundation
import Testing

@Suite("Dumps of a declaration")
struct DumpTests {
    struct Values: Sendable { var a = "" }

    static let secret = Credentials.bearer("S3CR3T")

    static let pieces: [any Sendable] = [
        HeaderField<Values>.fieldValue(value: "Bearer S3CR3T"),
        HeaderField<Values>.fieldValue(value: secret),
        [.authorization: .fieldValue(value: secret)] as HeaderList<Values>,
        Parameter<Values>.queryValue("key", value: "S3CR3T"),
        Parameter<Values>.formValue("key", value: ["S3CR3T"]),
        [.queryValue("key", value: "S3CR3T")] as ParameterList<Values>,
        "a/\(value: "S3CR3T")" as PathTemplate<Values>,
        "bot-S3CR3T/\(path: \.a)" as PathTemplate<Values>,
        "S3CR3T" as PathTemplate<Values>,
    ]

    @Test(
        "print, debugPrint and dump of a declaration's pieces show no constant", arguments: pieces)
    func dumped(_ piece: any Sendable) {
        var texts = ["\(piece)", String(reflecting: piece), "\([piece])", ""]
        dump(piece, to: &texts[3])
        print(piece, [piece], to: &texts[0])
        for text in texts { #expect(!text.contains("S3CR3T"), "\(text)") }
    }
}

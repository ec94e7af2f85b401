import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite("Formats in the language of the device")
struct LanguageProblemTests {
    struct Get: FlatRequest {
        let day: Date
        let end: Date?
        let count: Int
        let price: Decimal
        let shares: [Double]
        static let endpoint = Endpoint<Get>(method: .get, path: "")
        typealias Response = Void
    }

    private static let fixed = Locale(identifier: "en_US_POSIX")

    static let parameters: [(Parameter<Get>, isProblem: Bool)] = [
        (.query("x", path: \.day, format: .dateTime), true),
        (.query("x", path: \.day, format: .dateTime.year().month()), true),
        (.query("x", path: \.end, format: Date.FormatStyle(date: .numeric)), true),
        (.query("x", path: \.count, format: .number), true),
        (.query("x", path: \.count, format: .number.grouping(.never)), true),
        (.query("x", path: \.count, format: .percent), true),
        (.query("x", path: \.price, format: .currency(code: "EUR")), true),
        (.query("x", path: \.shares, format: .number), true),
        (.form("x", path: \.shares, format: .number), true),
        (.part("x", path: \.count, format: .number), true),
        (.query("x", path: \.day, format: .iso8601), false),
        (.query("x", path: \.day, format: .iso8601.year().month().day()), false),
        (.query("x", path: \.day, format: .dateTime.locale(fixed)), false),
        (.query("x", path: \.count, format: .number.locale(fixed).grouping(.never)), false),
        (.query("x", path: \.shares, format: .number.locale(fixed)), false),
        (.query("x", path: \.count), false),
    ]

    @Test(
        "A format that writes in the device's language is a problem, with its remedy",
        arguments: parameters)
    func parameter(parameter: Parameter<Get>, isProblem: Bool) {
        let endpoint = Endpoint<Get>(method: .post, path: "", parameters: [parameter])
        let problems = endpoint.problems.map(\.description)
        #expect(problems.count == (isProblem ? 1 : 0))
        for problem in problems {
            #expect(
                problem.hasSuffix(
                    """
                     "x" has a format in the language of the device, so each device sends another \
                    text; use `.iso8601`, or add `.locale(Locale(identifier: "en_US_POSIX"))`
                    """))
        }
    }

    @Test("So is one in a path or a header")
    func pathAndHeader() {
        let endpoint = Endpoint<Get>(
            method: .get, path: "\(path: \.day, format: .dateTime)",
            headers: ["X-Count": .field(path: \.count, format: .number)])
        #expect(
            endpoint.problems.map(\.field) == [.pathValue("day"), .header("X-Count")])
    }
}

import Endpoints
import Foundation
import Testing

@Suite struct TextValueTests {
    enum Sort: String, PathRepresentable { case newest, oldest = "old est" }
    enum Level: Int, PathRepresentable { case low = 1, high = -2 }
    enum Ratio: Double, PathRepresentable { case half = 0.5 }
    struct Identifier: RawRepresentable, PathRepresentable, Sendable { var rawValue: String }

    struct Money: PathRepresentable {
        var amount: Int
        var pathRepresentation: String? {
            get throws {
                guard amount >= 0 else { throw UnrepresentableValue("the amount is negative") }
                return amount == 0 ? nil : "\(amount)€"
            }
        }
    }

    typealias Row = (value: any PathRepresentable & Sendable, text: String?)

    static let rows: [Row] = [
        ("", ""),
        ("a/b", "a/b"),
        ("abc".dropFirst(), "bc"),
        (Character("é"), "é"),
        (Character("\r\n"), "\r\n"),
        (
            UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        ),
        (URL(string: "https://h/a%20b?c#d"), "https://h/a%20b?c#d"),
        (URL(string: "b", relativeTo: URL(string: "https://h/a/")), "https://h/a/b"),
        (TimeZone(identifier: "Europe/Berlin"), "Europe/Berlin"),
        (Sort.oldest, "old est"),
        (Level.high, "-2"),
        (Ratio.half, "0.5"),
        (Identifier(rawValue: "x"), "x"),
        (MIMEType.json, "application/json"),
        (Money(amount: 5), "5€"),
        (Money(amount: 0), nil),
        (String?.none, nil),
        (String?.some(""), ""),
        (Int??.none, nil),
        (Int??.some(nil), nil),
        (Int??.some(3), "3"),
        (Sort?.some(.newest), "newest"),
    ]

    @Test("A value becomes its one text, or nil", arguments: rows)
    func text(_ value: any PathRepresentable & Sendable, _ text: String?) throws {
        #expect(try value.pathRepresentation == text)
        guard case .one(let parameter) = try value.parameterRepresentation else {
            Issue.record("not one text")
            return
        }
        #expect(parameter == text)
    }

    @Test("A custom value that throws UnrepresentableValue is refused with its reason")
    func ownReason() throws {
        let refusal = try Probe().refusal("p", [.queryValue("price", value: Money(amount: -1))])
        #expect(
            refusal
                == #"Probe: the query item "price" can't be written as text: the amount is negative"#
        )
    }

    struct Broken: PathRepresentable, Error {
        var secret = "s3cr3t"
        var pathRepresentation: String? { get throws { throw self } }
    }

    @Test("Another error that a custom value throws is named by its type and kept as the cause")
    func foreignError() throws {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "p", headers: ["X-B": .fieldValue(value: Broken())])
        let error = #expect(throws: EndpointError.self) { try Probe().urlRequest(of: endpoint) }
        #expect(
            error?.description
                == #"Probe: the header "X-B" can't be written as text: Broken was thrown"#)
        #expect(error?.cause is Broken)
    }
}

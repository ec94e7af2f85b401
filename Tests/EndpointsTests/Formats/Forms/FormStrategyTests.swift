import Endpoints
import EndpointsFormats
import Foundation
import Testing

@Suite struct FormStrategyTests {
    struct User: Encodable, Sendable {
        var userName = "a"
        var homeAddress: [String: String] = ["zipCode": "1"]
        var lastItems = [Item()]
        struct Item: Encodable, Sendable { var itemID = 7 }
    }

    @Test("The keys of a form are converted, except those of a dictionary")
    func keys() throws {
        #expect(
            try form(User())
                == "userName=a&homeAddress[zipCode]=1&lastItems[0][itemID]=7")
        #expect(
            try form(User(), FormEncoder(keyEncodingStrategy: .convertToSnakeCase))
                == "user_name=a&home_address[zipCode]=1&last_items[0][item_id]=7")
        let custom = FormEncoder(
            keyEncodingStrategy: .custom { path in
                AnyKey(stringValue: path.map(\.stringValue).joined(separator: "."))
            })
        #expect(
            try form(User(), custom)
                == "userName=a&homeAddress[zipCode]=1"
                + "&lastItems[0][lastItems.Index+0.itemID]=7")
    }

    static let names = [
        "a", "A", "userName", "userID", "userIDNumber", "URL", "myURLProperty", "aB", "AB", "ABc",
        "_one", "_oneTwo_", "__oneTwo__", "_A", "_", "__", "one_Two", "one_two", "oneTWO", "a1B",
        "A1b", "one2Three", "1A", "éÉa", "ÀB", "snake_case_Already",
    ]

    @Test("A form's key in snake case is the one that JSONEncoder makes", arguments: names)
    func snakeCase(_ name: String) throws {
        let value = Encoded { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: AnyKey(stringValue: name))
        }
        let json = JSONEncoder()
        json.keyEncodingStrategy = .convertToSnakeCase
        let ours = try form(value, FormEncoder(keyEncodingStrategy: .convertToSnakeCase))
        let theirs = try JSONDecoder().decode([String: Int].self, from: json.encode(value))
        #expect(ours.removingPercentEncoding == theirs.keys.first.map { "\($0)=1" })
    }

    typealias DateRow = (
        strategy: FormEncoder.DateEncodingStrategy, seconds: TimeInterval, text: String
    )

    static let dates: [DateRow] = [
        (.rfc3339, 1_700_000_000.123, "2023-11-14T22%3A13%3A20.123Z"),
        (.rfc3339, 1_700_000_000, "2023-11-14T22%3A13%3A20Z"),
        (.iso8601, 1_700_000_000.9996, "2023-11-14T22%3A13%3A20Z"),
        (.iso8601, -0.5, "1969-12-31T23%3A59%3A59Z"),
        (.secondsSince1970, 1_700_000_000, "1700000000"),
        (.secondsSince1970, 1_700_000_000.123, "1700000000.123"),
        (.secondsSince1970, -1.5, "-1.5"),
        (.secondsSince1970, 0.00001, "0"),
        (.millisecondsSince1970, 1_700_000_000.1234, "1700000000123"),
        (.millisecondsSince1970, -1.5, "-1500"),
        (.formatted(.iso8601.year().month().day()), 1_700_000_000, "2023-11-14"),
        (.custom { try ["t": $0.timeIntervalSince1970].encode(to: $1) }, 2, "2.0"),
        (.custom { _, _ in }, 2, ""),
    ]

    @Test("A date in a form is written by the encoder's strategy", arguments: dates)
    func date(_ row: DateRow) throws {
        let date = Date(timeIntervalSince1970: row.seconds)
        let text = try form(["d": date], FormEncoder(dateEncodingStrategy: row.strategy))
        #expect(text.drop { $0 != "=" }.dropFirst() == row.text)
    }

    @Test("A custom date strategy may write nested values into a form")
    func customDate() throws {
        let encoder = FormEncoder(
            dateEncodingStrategy: .custom { try ["t": $0.timeIntervalSince1970].encode(to: $1) })
        let date = Date(timeIntervalSince1970: 2)
        #expect(try form(["d": [date]], encoder) == "d[0][t]=2.0")
    }

    @Test("A date that Foundation's formats can't write is refused in a form by its place")
    func unformatted() {
        let encoder = FormEncoder(dateEncodingStrategy: .formatted(.iso8601))
        let date = Date(timeIntervalSince1970: .nan)
        let error = #expect(throws: UnrepresentableValue.self) { try form(["d": [date]], encoder) }
        #expect(
            error?.reason
                == "at `[…][0]`, the date is outside the years 0000 to 9999; use another date, or nil"
        )
    }

    @Test("A form's date in ISO 8601 is the one that JSONEncoder writes")
    func iso8601() throws {
        let json = JSONEncoder()
        json.dateEncodingStrategy = .iso8601
        for seconds in [0, 0.9, -0.9, 951_782_399, 1_700_000_000.9996, 4_102_444_799] {
            let date = Date(timeIntervalSince1970: seconds)
            let ours = try form(["d": date], FormEncoder(dateEncodingStrategy: .iso8601))
            let theirs = try JSONDecoder().decode([String].self, from: json.encode([date]))
            #expect(ours.removingPercentEncoding == "d=\(theirs[0])")
        }
    }

    @Test("Data and Bool in a form are written by the encoder's strategies")
    func others() throws {
        struct Flags: Encodable { var on = true, off = false, data = [Data([1]), Data()] }
        #expect(try form(Flags()) == "on=true&off=false&data[]=AQ%3D%3D&data[]=")
        let encoder = FormEncoder(
            dataEncodingStrategy: .custom { data, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(data.count)
            },
            boolEncodingStrategy: .numeric)
        #expect(try form(Flags(), encoder) == "on=1&off=0&data[]=1&data[]=0")
    }

    @Test("A form encoder's strategies can be set after it is made")
    func settings() throws {
        var encoder = FormEncoder()
        encoder.arrayEncodingStrategy = .indices
        encoder.boolEncodingStrategy = .numeric
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.dataEncodingStrategy = .custom { try "\($0.count)".encode(to: $1) }
        struct Values: Encodable {
            var aList = [true]
            var aDate = Date(timeIntervalSince1970: 3)
            var someData = Data([1, 2])
        }
        #expect(try form(Values(), encoder) == "a_list[0]=1&a_date=3&some_data=2")
    }

    @Test("A value's own encode(to:) finds the form encoder's userInfo")
    func userInfo() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        var encoder = FormEncoder()
        encoder.userInfo[key] = "value"
        let value = Encoded { try ["a": $0.userInfo[key] as? String].encode(to: $0) }
        #expect(try form(["v": value], encoder) == "v[a]=value")
    }
}

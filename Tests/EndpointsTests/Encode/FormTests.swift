import Endpoints
import Foundation
import Testing

@Suite struct FormTests {
    private func body(_ parameters: ParameterList<Probe>, of values: Probe) throws -> String {
        let endpoint = Endpoint<Probe>(method: .post, path: "f", parameters: parameters)
        let request = try values.urlRequest(of: endpoint)
        #expect(request.url?.absoluteString == "https://h/f")
        return String(decoding: try #require(request.httpBody), as: UTF8.self)
    }

    static let values: [(value: String, text: String)] = [
        ("", ""),
        ("a b", "a+b"),
        ("  ", "++"),
        ("a+b", "a%2Bb"),
        ("%20", "%2520"),
        ("a&b=c", "a%26b%3Dc"),
        ("*-._", "*-._"),
        ("~!'()", "%7E%21%27%28%29"),
        (":/@?#[];,$", "%3A%2F%40%3F%23%5B%5D%3B%2C%24"),
        (#"\"<>^`{|}"#, "%5C%22%3C%3E%5E%60%7B%7C%7D"),
        ("a\nb", "a%0Ab"),
        ("a\rb", "a%0Db"),
        ("a\r\nb", "a%0D%0Ab"),
        ("\u{0}\u{7F}", "%00%7F"),
        ("café", "caf%C3%A9"),
        (" \u{301}", "+%CC%81"),
        ("\u{A0}\u{3000}", "%C2%A0%E3%80%80"),
        ("\u{2028}", "%E2%80%A8"),
        ("\u{10FFFF}", "%F4%8F%BF%BF"),
        (BeyondASCII.text, BeyondASCII.escaped),
    ]

    @Test(
        "A form's names and values are escaped as the WHATWG URL standard does", arguments: values)
    func value(_ value: String, _ text: String) throws {
        #expect(try body([.form("k", path: \.a)], of: Probe(a: value)) == "k=\(text)")
        #expect(try body([.formValue("k", value: value)], of: Probe()) == "k=\(text)")
        #expect(try body([.form(value, path: \.a)], of: Probe(a: "v")) == "\(text)=v")
    }

    @Test("Every ASCII character in a form is either left raw or escaped")
    func everyASCIICharacter() throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let raw = Set(letters + "0123456789*-._")
        for byte in UInt8(0)...127 where byte != 32 {
            let character = Character(UnicodeScalar(byte))
            let hexadecimal = String(byte, radix: 16, uppercase: true)
            let escaped = "%" + (byte < 16 ? "0" : "") + hexadecimal
            let expected = raw.contains(character) ? String(character) : escaped
            #expect(
                try body([.form("k", path: \.a)], of: Probe(a: String(character)))
                    == "k=\(expected)")
        }
    }

    typealias Row = (parameters: ParameterList<Probe>, values: Probe, body: String)

    static let fields: [Row] = [
        ([.form("x", path: \.x)], Probe(), ""),
        ([.form("x", path: \.x)], Probe(x: ""), "x="),
        ([.form("x", path: \.x), .form("y", path: \.y)], Probe(y: "2"), "y=2"),
        ([.form("b", path: \.b), .form("a", path: \.a)], Probe(a: "1", b: "2"), "b=2&a=1"),
        ([.form("n", path: \.number), .formValue("n", value: 1)], Probe(), "n=0&n=1"),
        ([.formValue("n", value: Int?.none), .formValue("m", value: 1)], Probe(), "m=1"),
        ([.form("", path: \.a)], Probe(a: "1"), "=1"),
    ]

    @Test(
        "In a form, nil leaves the field out, an empty string keeps it, and order is kept",
        arguments: fields)
    func field(_ row: Row) throws {
        let body = try body(row.parameters, of: row.values)
        #expect(body == row.body)
    }

    @Test("A form is written whole, however long its values are", arguments: 0..<10)
    func length(_ length: Int) throws {
        // Some of these fill the memory to its last byte, so that the address sanitizer sees a
        // write beyond it.
        let endpoint = Endpoint<Probe>(
            method: .post, path: "f", parameters: [.form("a", path: \.a), .form("b", path: \.b)])
        let first = String(repeating: "x", count: length)
        for count in 0..<30 {
            let values = Probe(a: first, b: String(repeating: "/", count: count))
            let body = try values.urlRequest(of: endpoint).httpBody
            let escaped = String(repeating: "%2F", count: count)
            #expect(body == Data("a=\(first)&b=\(escaped)".utf8))
        }
    }

    @Test("Form fields go to the body and query items to the URL, each with its own escaping")
    func both() throws {
        let endpoint = Endpoint<Probe>(
            method: .post, path: "f",
            parameters: [
                .form("a", path: \.a), .query("a", path: \.a), .formValue("b", value: "~ "),
                .queryValue("b", value: "~ "),
            ])
        let request = try Probe(a: "x+/ y").urlRequest(of: endpoint)
        #expect(request.url?.absoluteString == "https://h/f?a=x%2B/%20y&b=~%20")
        #expect(request.httpBody == Data("a=x%2B%2F+y&b=%7E+".utf8))
    }

    @Test(
        "A form's Content-Type has no charset and is sent with every method",
        arguments: [HTTPMethod.post, .put, .patch, .delete, .get, "QUERY"])
    func contentType(_ method: HTTPMethod) throws {
        let endpoint = Endpoint<Probe>(
            method: method, path: "f", parameters: [.form("a", path: \.a)])
        let request = try Probe(a: "1").urlRequest(of: endpoint)
        #expect(request.httpMethod == method.rawValue)
        #expect(
            request.allHTTPHeaderFields == ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(request.httpBody == Data("a=1".utf8))
    }

    @Test("A declared Content-Type wins over the form's")
    func declaredContentType() throws {
        let endpoint = Endpoint<Probe>(
            method: .post, path: "f", parameters: [.form("a", path: \.a)],
            headers: ["content-TYPE": .fieldValue(value: "text/x-form")])
        let request = try Probe(a: "1").urlRequest(of: endpoint)
        #expect(request.allHTTPHeaderFields == ["content-TYPE": "text/x-form"])
    }
}

import EndpointsDocuments
import Foundation
import Testing

@Suite("Snake case")
struct SnakeCaseTests {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Written: Encodable {
        let key: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: Key(stringValue: key))
        }
    }

    private struct Read: Decodable {
        let keys: [String]

        init(from decoder: any Decoder) throws {
            keys = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
        }
    }

    @Test(
        "Keys are converted as Foundation's coders convert them",
        arguments: [
            "urlMD5sum", "URLPath", "user_Name", "userID", "myMP3file", "a1B", "ÄrgerÖl", "x", "A",
            "AB", "aB_C", "_a_b_", "2fa_code", "is_2fa", "a_bC", "A_B", "SSID_2G_x", "a__b",
            "straße_öl", "one_2three4", "__", "imageURL",
        ])
    func keys(key: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let text = String(decoding: try encoder.encode(Written(key: key)), as: UTF8.self)
        #expect("{\"\(SnakeCase.snake(key))\":1}" == text)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let read = try decoder.decode(Read.self, from: Data("{\"\(key)\":1}".utf8))
        #expect([SnakeCase.camel(key)] == read.keys)
    }

    @Test(
        "The written coders name a key that they convert in another way than Foundation's",
        arguments: [
            ("num_w2s_sent", #""num_w2s_sent": "numW2sSent""#), ("a_1b", #""a_1b": "a1b""#),
        ])
    func others(name: String, expected: String) throws {
        let all = try files(
            ##"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"responses": {"200": {"content":
            {"application/json": {"schema": {"$ref": "#/components/schemas/M"}}}}}}}}, "components": {"schemas":
            {"M": {"properties": {"user_id": {}, "user_name": {}, "URLPath": {}, "\##(name)": {}}}}}}
            """##)
        #expect(all["Server.swift"]?.contains(expected) == true, "\(all["Server.swift"] ?? "")")
    }
}

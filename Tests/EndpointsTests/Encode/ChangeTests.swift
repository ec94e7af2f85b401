import Endpoints
import Foundation
import Testing

@Suite("Change")
struct ChangeTests {
    struct Profile: Encodable {
        var name: Change<String> = .keep
        var age: Change<Int> = .keep
        var tags: Change<[String]> = .keep
    }

    static let profiles: [(profile: Profile, json: String)] = [
        (Profile(), "{}"),
        (Profile(name: .clear), #"{"name":null}"#),
        (Profile(name: .set("Ann"), age: .clear), #"{"age":null,"name":"Ann"}"#),
        (Profile(age: .set(0), tags: .set([])), #"{"age":0,"tags":[]}"#),
    ]

    @Test("A kept member is left out, a cleared one is null", arguments: profiles)
    func members(row: (profile: Profile, json: String)) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(row.profile), as: UTF8.self) == row.json)
    }

    @Test("In a list a change is a value or null, and keep is refused")
    func lists() throws {
        let list: [Change<Int>] = [.set(1), .clear]
        #expect(String(decoding: try JSONEncoder().encode(list), as: UTF8.self) == "[1,null]")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([Change<Int>.keep]) }
    }

    struct PatchProfile: FlatRequest {
        let body: Change<Profile>
        static let endpoint = Endpoint<Self>(method: .patch, path: "me")
        typealias Response = Void
    }

    @Test("A kept change as the whole body is an error that names the body")
    func body() throws {
        let error = #expect(throws: EndpointError.self) {
            try PatchProfile(body: .keep).urlRequest(in: .production)
        }
        #expect(error?.field == .body)
    }
}

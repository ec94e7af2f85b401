import Endpoints
import EndpointsFormats
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
        #expect(throws: UnrepresentableValue.self) { try JSONEncoder().encode([Change<Int>.keep]) }
    }

    struct Customer: Encodable {
        var name: Change<String> = .keep
        var tags: Change<[String]> = .keep
        var metadata: [String: Change<String>] = [:]
        var lists: [Change<Int>] = []
        var maybe: Change<String>?
    }

    static let customers: [(customer: Customer, form: String)] = [
        (Customer(), ""),
        (Customer(name: .clear), "name="),
        (Customer(name: .set("Ann"), tags: .set(["a"])), "name=Ann&tags%5B%5D=a"),
        (Customer(tags: .set([])), "tags="),
        (Customer(tags: .clear), "tags="),
        (
            Customer(metadata: ["a": .clear, "b": .set("x")]),
            "metadata%5Ba%5D=&metadata%5Bb%5D=x"
        ),
        (Customer(lists: [.clear, .set(1)]), "lists%5B%5D=&lists%5B%5D=1"),
        (Customer(maybe: .clear), "maybe="),
    ]

    @Test("In a form a cleared change is an empty text wherever it is", arguments: customers)
    func form(row: (customer: Customer, form: String)) throws {
        let data = try FormEncoder().encode(row.customer)
        #expect(String(decoding: data, as: UTF8.self) == row.form)
    }

    @Test("A kept change that can't be left out is an error that says how to declare it")
    func kept() {
        let error = #expect(throws: UnrepresentableValue.self) {
            try FormEncoder().encode(Customer(maybe: .keep))
        }
        #expect(
            error?.reason.contains("at `maybe`, `Change.keep` works only for a property")
                == true)
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

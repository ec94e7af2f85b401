import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Arguments and names that are taken")
struct ArgumentTests {
    private static let document = #"""
        {"openapi": "3.1.0", "info": {"title": "Flat"}, "paths": {"/a": {"get": {
         "operationId": "getA", "tags": ["x"], "responses": {"200": {"description": "",
         "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TimeZone"}}}}}}}},
         "components": {"schemas": {"TimeZone": {"type": "object", "properties": {
         "a": {"type": "string", "format": "date"}}}}}}
        """#

    @Test(
        "A part that no operation has is refused",
        arguments: [
            (["--tag", "x"], true), (["--tag", "y"], false), (["--tag", "x", "--tag", "y"], false),
            (["--path", "/a"], true), (["--path", "/b"], false), (["--operation", "getA"], true),
            (["--operation", "getB"], false), ([], true),
        ] as [([String], Bool)])
    func parts(options: [String], isThere: Bool) throws {
        let arguments = try Arguments(["api.json", "--into", "API"] + options)
        let operations = try Document(Data(Self.document.utf8)).operations()
        var isRefused = false
        do { try arguments.checkParts(operations) } catch { isRefused = true }
        #expect(isRefused == !isThere)
    }

    @Test("No type is named like one that the written text uses")
    func taken() throws {
        let text = try files(Self.document).values.joined(separator: "\n")
        #expect(text.contains("protocol FlatAPIRequest: FlatRequest"))
        #expect(text.contains("struct TimeZoneModel:"))
    }

    @Test("Operations of paths that refer to one item have a name each")
    func sharedItem() throws {
        let files = try files(
            ##"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a:do": {"get": {"operationId": "doIt"}, "post": {}},
             "/b:do": {"$ref": "#/paths/~1a:do"}, "/c": {"$ref": "#/paths/~1a:do"}}}
            """##)
        let text = files["Requests.swift"] ?? ""
        for name in ["DoIt", "DoItCall", "DoIt2", "PostADo", "PostBDo", "PostC"] {
            #expect(text.components(separatedBy: "struct \(name): SRequest").count == 2, "\(text)")
        }
    }

    @Test(
        "The name of the API is its title without the words that say nothing",
        arguments: [
            ("Booking and Referral - FHIR API", "BookingReferral"), ("The Shop API", "Shop"),
            ("API for a Zoo of Pets", "ZooPets"), ("REST", "API"),
            ("Azure OpenAI API version 2", "AzureOpenAi"), ("OpenAI API", "OpenAi"),
            ("MyPetZoo Service", "MyPet"), ("The MyPetZoo", "MyPet"),
            ("Zoo MyPetFarm", "ZooMy"),
        ])
    func title(title: String, name: String) throws {
        let files = try files(
            #"{"openapi": "3.1.0", "info": {"title": "\#(title)"}, "paths": {"/a": {"get": {}}}}"#)
        #expect(files["Server.swift"]?.contains("struct \(name)Server: EnvironmentType") == true)
    }

    @Test(
        "A name for nothing in the document is refused",
        arguments: [
            (##"{"names": {"#/components/schemas/TimeZone": "Zone", "getA": "A"}}"##, nil),
            (##"{"names": {"#/components/schemas/TimeZone/properties/a": "Zone"}}"##, nil),
            (
                ##"{"types": {"#/components/schemas/TimeZone": "Zone"}, "leaveOut": ["get /a"]}"##,
                nil
            ),
            (##"{"names": {"#/components/schemas/Zone": "Zone"}}"##, "#/components/schemas/Zone"),
            (##"{"names": {"#/info": "Zone"}}"##, "#/info"),
            (##"{"names": {"getB": "Zone"}}"##, "getB"),
            (##"{"types": {"getA": "Zone"}}"##, "getA"),
            (
                ##"{"leaveOut": ["#/components/schemas/TimeZone"]}"##,
                "#/components/schemas/TimeZone"
            ),
        ] as [(String, String?)])
    func names(file: String, refused: String?) throws {
        let document = try Document(Data(Self.document.utf8))
        let overrides = try Overrides(Data(file.utf8))
        var text: String?
        do { try overrides.check(document, document.operations(), []) } catch let error
            as UsageError
        {
            text = error.description
        }
        #expect((text == nil) == (refused == nil))
        if let refused { #expect(text?.contains("`\(refused)`") == true, "\(text ?? "")") }
    }

    @Test("Nested models and members that refer to a schema have the names and types for them")
    func nestedNames() throws {
        let document = ##"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": {"/a": {"get": {"responses":
             {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}}}}}},
             "components": {"schemas": {"Id": {"type": "string"}, "User": {"properties": {
             "id": {"$ref": "#/components/schemas/Id"}, "state": {"enum": ["a", "b"]}}}}}}
            """##
        let names = ##"""
            {"names": {"#/components/schemas/User/properties/state": "Mood"},
             "types": {"#/components/schemas/User/properties/id": "UUID"}}
            """##
        let text = try files(document, overrides: names).values.joined()
        #expect(
            text.contains(
                "let id: UUID?, state: OrUnknown<Mood>?\n    enum Mood: String { case a, b }"),
            "\(text)")
    }
}

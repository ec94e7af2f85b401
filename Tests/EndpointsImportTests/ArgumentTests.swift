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
}

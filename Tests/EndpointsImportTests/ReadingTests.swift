import Foundation
import Testing

@testable import EndpointsImport

@Suite("Reading a document")
struct ReadingTests {
    @Test(
        "JSON is read with its order, escapes and numbers, and written again",
        arguments: [
            (#"{"b": 1, "a": [true, null, -1.50e3]}"#, #"{"b":1,"a":[true,null,-1.50e3]}"#),
            (#""é\né \ud83d\ude00""#, #""é\né 😀""#), ("[]", "[]"), (" {} ", "{}"),
        ])
    func json(text: String, expected: String) throws {
        #expect(try JSONReader.read(Data(text.utf8)).written == expected)
    }

    @Test(
        "A text that isn't JSON is an error with its line and column",
        arguments: [
            (
                "{\n\"a\": x}",
                "line 2, column 6: a value is expected, such as a text in double quotes"
            ),
            ("[1, 2", "line 1, column 6: a `,` or a `]` is expected"),
            ("{\"a\" 1}", "line 1, column 6: a `:` is expected"),
            ("\"abc", "line 1, column 2: a string has no closing quote"),
            ("01", "line 1, column 1: a value is expected, such as a text in double quotes"),
            ("{} {}", "line 1, column 4: there is more after the end of the value"),
            (
                String(repeating: "[", count: 600),
                "line 1, column 501: there are more than 500 levels of lists and objects"
            ),
        ])
    func broken(text: String, expected: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(Data(text.utf8)) }
        #expect(error?.description == expected)
    }

    @Test(
        "A broken document is an error with the pointer",
        arguments: [
            ("[]", "#: must be an object, and is a list"),
            ("{}", "#: `openapi` is missing"),
            (
                ##"{"openapi": "4.0"}"##,
                "#/openapi: the version 4.0 isn't known; known are 3.0, 3.1 and 3.2"
            ),
            (
                ##"{"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [{"$ref": "#/x"}]}}}}"##,
                "#/paths/~1a/get/parameters/0/$ref: `#/x` isn't in the document"
            ),
            (
                #"{"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [{"name": 1}]}}}}"#,
                "#/paths/~1a/get/parameters/0: `in` is missing"
            ),
            (
                #"{"openapi": "3.0.0", "paths": {"/{id}": {"get": {}}}}"#,
                "#/paths/~1{id}/get: the parameter `id` of the path isn't declared"
            ),
            (
                ##"{"openapi": "3.0.0", "a": {"$ref": "#/a"}, "paths": {"/": {"$ref": "#/a"}}}"##,
                "#/a/$ref: the references go in a circle"
            ),
            (
                "openapi: 3.0.0\npaths: {}",
                """
                #: the document is YAML, and this command reads JSON; convert it first, for example \
                by `yq -o=json . api.yaml > api.json`
                """
            ),
        ])
    func document(text: String, expected: String) throws {
        let error = #expect(throws: DocumentError.self) { try files(text) }
        #expect(error?.description == expected)
    }
}

// The program of the check: it prints the calls, or compares the declarations with documents.
//
//     Calls                       prints a line of JSON for each call
//     Calls DOCUMENT WRITTEN      writes the declarations' document, and fails if it differs
//     Calls DOCUMENT…             prints how many differences each of three or more documents has

import Endpoints
import EndpointsTesting
import Foundation

let requests: [any RequestType.Type] = [
    // TYPES
]

let files = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
if files.isEmpty {
    try Calls.printAll()
} else {
    let document = OpenAPIDocument(
        of: requests, title: "Zoo API", servers: [ZooServer.production()])
    let documents = files.count == 2 ? [files[0]] : files
    for file in documents {
        let differences = document.differences(
            from: try OpenAPIDocument(contentsOf: file), includingUndeclared: true)
        if files.count == 2 {
            try document.data.write(to: files[1])
            for problem in differences.map(\.description) + document.unprobed { print(problem) }
            exit(differences.isEmpty && document.unprobed.isEmpty ? 0 : 1)
        }
        print(differences.count, differences.first?.description ?? "")
    }
}

// expect: candidate operates on an instance, not a type as required

import Endpoints
import Foundation

struct AddShirt: FlatRequest {
    let body: [Int]
    static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
    typealias Response = Void
    #if WRONG
        var bodyEncoder: PropertyListEncoder { PropertyListEncoder() }
    #else
        static var bodyEncoder: PropertyListEncoder { PropertyListEncoder() }
    #endif
}

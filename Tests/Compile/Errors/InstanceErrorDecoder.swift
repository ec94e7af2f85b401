// expect: 'PropertyListDecoder' was the same type as 'MustBeStatic'

import Endpoints
import Foundation

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    typealias Response = Void
    #if WRONG
        var errorDecoder: PropertyListDecoder { PropertyListDecoder() }
    #else
        static var errorDecoder: PropertyListDecoder { PropertyListDecoder() }
    #endif
}

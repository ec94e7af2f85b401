// expect: write `static func response(data: Data, httpResponse: HTTPURLResponse)`

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Shirt { let color: Int }

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")

    #if WRONG
        static func response(_ data: Data, _ httpResponse: HTTPURLResponse) throws -> Shirt {
            Shirt(color: data.count)
        }
        typealias Response = Shirt
    #else
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Shirt {
            Shirt(color: data.count)
        }
    #endif
}

// expect: 'YAMLEncoder' conformed to 'EncoderType'

import Endpoints
import Foundation

#if WRONG
    struct YAMLEncoder: Sendable {}
#else
    struct YAMLEncoder: EncoderType {
        var contentType: MIMEType? { "application/yaml" }
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data() }
    }
#endif

struct AddShirt: FlatRequest {
    let body: [Int]
    static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
    typealias Response = Void
    static let bodyEncoder = YAMLEncoder()
}

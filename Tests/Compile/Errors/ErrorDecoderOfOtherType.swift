// expect: 'YAMLDecoder' conformed to 'DecoderType'

import Endpoints
import Foundation

#if WRONG
    struct YAMLDecoder: Sendable {}
#else
    struct YAMLDecoder: DecoderType {
        var contentType: MIMEType? { "application/yaml" }
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            try JSONDecoder().decode(type, from: data)
        }
    }
#endif

struct GetShirts: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = Void
    static let errorDecoder = YAMLDecoder()
}

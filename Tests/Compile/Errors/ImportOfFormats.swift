// expect: type 'ParameterEncoding' has no member 'brackets'

import Endpoints

#if !WRONG
    import EndpointsFormats
#endif

struct Filter: Encodable, Sendable { let color: Int }

struct GetShirts: FlatRequest {
    let filter: Filter

    static let endpoint = Endpoint<GetShirts>(
        method: .get, path: "shirts",
        parameters: [.query("filter", path: \.filter, encoding: .brackets)])
    typealias Response = Void
}

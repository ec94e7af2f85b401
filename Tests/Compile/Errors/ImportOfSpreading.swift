// expect: incorrect argument label in call (have 'spreading:', expected 'contentsOf:')

import Endpoints

#if !WRONG
    import EndpointsFormats
#endif

struct GetShirts: FlatRequest {
    struct Filter: Encodable { let size: Int? }
    let filter: Filter

    static let endpoint = Endpoint<Self>(
        method: .get, path: "shirts", parameters: [.query(spreading: \.filter)])
    typealias Response = Void
}

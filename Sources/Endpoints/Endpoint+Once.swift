extension Endpoint {
    /// The endpoint of a generic request type, made once for each type that it stands for.
    ///
    ///     struct Page<Item: Decodable>: FlatRequest {
    ///         let number: Int
    ///         static var endpoint: Endpoint<Self> {
    ///             .once(Endpoint(method: .get, path: "pages/\(path: \.number)"))
    ///         }
    ///         typealias Response = [Item]
    ///     }
    ///     // Page<User>.endpoint and Page<Post>.endpoint are each made at their first use
    ///
    /// A generic type can't have a stored static property, and a computed one would make the
    /// endpoint for each request. Other types need no more than `static let`.
    public static func once(_ endpoint: @autoclosure () -> Endpoint) -> Endpoint {
        let type = ObjectIdentifier(Request.self)
        if let plan = plans.withLock({ $0[type] }) { return Endpoint(plan: plan) }
        let plan = endpoint().plan
        // Another thread may have kept one meanwhile.
        return Endpoint(
            plan: plans.withLock { plans in
                let first = plans[type] ?? plan
                plans[type] = first
                return first
            })
    }

    private init(plan: Plan) {
        self.plan = plan
    }
}

/// The plans of generic request types.
private let plans = Locked<[ObjectIdentifier: Plan]>([:])

import Foundation

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
        if let plan = kept.plan(of: type) { return Endpoint(plan: plan) }
        return Endpoint(plan: kept.keep(endpoint().plan, of: type))
    }

    private init(plan: Plan) {
        self.plan = plan
    }
}

private let kept = KeptPlans()

/// The plans of generic request types.
private final class KeptPlans: @unchecked Sendable {
    private let lock = NSLock()
    private var plans: [ObjectIdentifier: Plan] = [:]

    func plan(of type: ObjectIdentifier) -> Plan? {
        lock.withLock { plans[type] }
    }

    /// Keeps a plan, unless another thread has kept one meanwhile; returns the one that is kept.
    func keep(_ plan: Plan, of type: ObjectIdentifier) -> Plan {
        lock.withLock {
            let first = plans[type] ?? plan
            plans[type] = first
            return first
        }
    }
}

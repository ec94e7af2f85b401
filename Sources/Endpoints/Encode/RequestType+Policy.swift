extension RequestType {
    /// The policy of a load of this request: its own, with the headers among the sensitive ones
    /// whose values are secrets by their type.
    package func policy(in environment: Environment) -> LoadPolicy {
        var policy = loadPolicy
        let secrets = Self.endpoint.plan.secretHeaders(of: self, in: environment)
        if !secrets.isEmpty { policy.sensitiveHeaders.formUnion(secrets) }
        return policy
    }
}

extension Plan {
    /// The names of the headers whose values are secrets by their type, in any layer.
    fileprivate func secretHeaders<Request: RequestType>(
        of request: Request, in environment: Request.Environment
    ) -> Set<Headers> {
        var names = headers.secrets
        if additions.hasSecrets.common {
            names.formUnion(Self.names(request.commonHeaders))
        }
        if additions.hasSecrets.additional {
            names.formUnion(Self.names(request.additionalHeaders))
        }
        if additions.hasSecrets.environment {
            names.formUnion(Self.names(environment.headers))
        }
        return names
    }

    /// The names of some headers; those whose texts can't be made are no part of a request.
    private static func names(_ fields: Any) -> [Headers] {
        (try? (fields as? any HeaderFields)?.headerTexts.map(\.name)) ?? []
    }
}

extension RequestType {
    /// The policy of a load of this request: its ``loadPolicy``, with the headers that are
    /// ``Credentials`` added to ``LoadPolicy/sensitiveHeaders``.
    package func policy(in environment: Environment) -> LoadPolicy {
        var policy = loadPolicy
        let secrets = Self.endpoint.plan.secretHeaders(of: self, in: environment)
        if !secrets.isEmpty { policy.sensitiveHeaders.formUnion(secrets) }
        return policy
    }
}

extension Plan {
    /// The names of all headers that are ``Credentials``, wherever they are declared.
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

    /// The names of the headers; empty if `headerTexts` throws, because then nothing is sent.
    private static func names(_ fields: Any) -> [Headers] {
        (try? (fields as? any HeaderFields)?.headerTexts.map(\.name)) ?? []
    }
}

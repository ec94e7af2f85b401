extension RequestType {
    /// The policy of a load of this request: its ``loadPolicy``, with the headers that are
    /// ``Credentials`` added to ``LoadPolicy/sensitiveHeaders``.
    package func policy(in environment: Environment) -> LoadPolicy {
        var policy = loadPolicy
        let plan = Self.endpoint.plan
        var secrets = plan.headers.secrets
        if plan.hasSecretHeaders.environment { secrets += namesOfHeaders(environment.headers) }
        if plan.hasSecretHeaders.common { secrets += namesOfHeaders(commonHeaders) }
        for source in plan.headers.contents where source.isSecret {
            secrets += source.headerNames(in: headerValues)
        }
        if !secrets.isEmpty { policy.sensitiveHeaders.formUnion(secrets) }
        return policy
    }
}

extension ValueSource {
    /// The names of the headers in the property.
    package func headerNames(in values: some Any) -> [Headers] {
        keyPath.flatMap { values[keyPath: $0] }.map(namesOfHeaders) ?? []
    }
}

/// The names of the headers; empty if `headerTexts` throws, because then nothing is sent.
private func namesOfHeaders(_ fields: Any) -> [Headers] {
    (try? (fields as? any HeaderFields)?.headerTexts.map(\.name)) ?? []
}

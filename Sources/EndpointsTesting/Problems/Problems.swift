import Endpoints

/// Lists what is wrong, or probably not meant, in the declarations of request types.
///
///     #expect(problems(of: GetUser.self, ListUsers.self, GetArchive.self).isEmpty)
///
/// A failure shows each problem as a sentence with the name of its request type. Properties that
/// aren't sent, and constant headers that `contentsOf:` replaces, are found only by
/// ``RequestType/problems``, as in `GetUser(id: 42).problems`.
public func problems(of types: any RequestType.Type...) -> [EndpointError] {
    types.flatMap { $0.declarationProblems }
}

extension RequestType {
    fileprivate static var declarationProblems: [EndpointError] { endpoint.problems }
}

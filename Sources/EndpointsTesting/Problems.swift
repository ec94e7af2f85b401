import Endpoints

/// Everything that is wrong with some declarations, or probably not meant; empty if nothing is.
///
///     #expect(problems(of: GetUser.self, ListUsers.self, GetArchive.self).isEmpty)
///
/// One line in a test checks a whole suite of requests. A failure shows each problem as a sentence
/// with the name of its request type.
public func problems(of types: any RequestType.Type...) -> [EndpointError] {
    types.flatMap { $0.declarationProblems }
}

extension RequestType {
    fileprivate static var declarationProblems: [EndpointError] { endpoint.problems }
}

import Testing

@testable import EndpointsDurable

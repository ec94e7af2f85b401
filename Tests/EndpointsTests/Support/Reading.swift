import Endpoints
import Foundation

/// A request whose parameters are a value of any type.
struct Reading<Values>: RequestType {
    typealias Response = Void

    static var endpoint: Endpoint<Self> {
        Declaration.endpoint as? Endpoint<Self> ?? Endpoint(method: .get, path: "undeclared")
    }

    let parameters: Values
}

private enum Declaration {
    @TaskLocal static var endpoint: (any Sendable)?
}

/// The query that some items make of a value; `nil` if there is none.
func query<Values>(of values: Values, _ items: Parameter<Values>...) throws -> String? {
    let endpoint = Endpoint<Reading<Values>>(
        method: .get, path: "read", parameters: ParameterList(items))
    return try Declaration.$endpoint.withValue(endpoint) {
        try Reading(parameters: values).urlRequest(in: .production).url?.query
    }
}

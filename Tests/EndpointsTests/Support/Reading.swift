import Endpoints
import Foundation

/// A request whose parameters and path are read from a value of any type.
struct Reading<Values>: RequestType {
    typealias Response = Void

    static var endpoint: Endpoint<Self> {
        Declaration.endpoint as? Endpoint<Self> ?? Endpoint(method: .get, path: "undeclared")
    }

    let parameters: Values
    var pathComponents: Values { parameters }
}

private enum Declaration {
    @TaskLocal static var endpoint: (any Sendable)?
}

/// The query of some items with a value; `nil` if there is none.
func query<Values>(of values: Values, _ items: Parameter<Values>...) throws -> String? {
    try url("read", ParameterList(items), of: values)?.query
}

/// The escaped path of a template with a value.
func path<Values>(_ template: PathTemplate<Values>, of values: Values) throws -> String? {
    let url = try url(template, [], of: values)
    return url.map { String($0.absoluteString.dropFirst("https://h".count)) }
}

private func url<Values>(
    _ path: PathTemplate<Values>, _ items: ParameterList<Values>, of values: Values
) throws -> URL? {
    let endpoint = Endpoint<Reading<Values>>(method: .get, path: path, parameters: items)
    return try Declaration.$endpoint.withValue(endpoint) {
        try Reading(parameters: values).urlRequest(in: ServerEnvironment(at: "https://h")).url
    }
}

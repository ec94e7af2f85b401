import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request whose declaration is the test's argument, so each row of a table can have its own.
struct Probe: FlatRequest, Sendable {
    typealias Response = Void

    @TaskLocal static var endpoint = Endpoint<Probe>(
        method: .get, path: "probe", headers: HeaderList(contentsOf: \.moreHeaders))

    var a = ""
    var b = ""
    var x: String?
    var y: String?
    var list: [String] = []
    var number = 0
    var moreItems: [URLQueryItem] = []
    var moreHeaders: [Headers: String] = [:]

    /// Makes the `URLRequest` of a declaration with these values.
    func urlRequest(
        of endpoint: Endpoint<Probe>, at address: String = "https://h"
    ) throws -> URLRequest {
        let environment = try ServerEnvironment(at: address)
        return try Probe.$endpoint.withValue(endpoint) { try urlRequest(in: environment) }
    }

    /// The URL of a path and query items with these values.
    func url(
        _ path: PathTemplate<Probe>, _ parameters: ParameterList<Probe> = [],
        at address: String = "https://h"
    ) throws -> String? {
        let endpoint = Endpoint<Probe>(method: .get, path: path, parameters: parameters)
        return try urlRequest(of: endpoint, at: address).url?.absoluteString
    }

    /// The text of the error of a path and parameters with these values; `nil` if there is none.
    func refusal(
        _ path: PathTemplate<Probe> = "probe", _ parameters: ParameterList<Probe> = [],
        headers: HeaderList<Probe> = [:], method: HTTPMethod = .get,
        at address: String = "https://h"
    ) throws -> String? {
        let endpoint = Endpoint<Probe>(
            method: method, path: path, parameters: parameters,
            headers: HeaderList(headers, contentsOf: \.moreHeaders))
        do { _ = try urlRequest(of: endpoint, at: address) } catch let error as EndpointError {
            return error.description
        }
        return nil
    }
}

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request whose declaration is a test's argument, so that a table can have a declaration in each
/// row.
struct Probe: FlatRequest, Sendable {
    typealias Response = Void

    @TaskLocal static var endpoint = Endpoint<Probe>(method: .get, path: "probe")

    var a = ""
    var b = ""
    var x: String?
    var y: String?
    var list: [String] = []
    var number = 0
    var additionalQueryItems: [URLQueryItem] = []
    var additionalHeaders: [Headers: String] = [:]

    /// The request that a declaration makes of these values.
    func urlRequest(
        of endpoint: Endpoint<Probe>, at address: String = "https://h"
    ) throws -> URLRequest {
        let environment = try ServerEnvironment(at: address)
        return try Probe.$endpoint.withValue(endpoint) { try urlRequest(in: environment) }
    }

    /// The URL that a path and query items make of these values.
    func url(
        _ path: PathTemplate<Probe>, _ parameters: ParameterList<Probe> = [],
        at address: String = "https://h"
    ) throws -> String? {
        let endpoint = Endpoint<Probe>(method: .get, path: path, parameters: parameters)
        return try urlRequest(of: endpoint, at: address).url?.absoluteString
    }

    /// The text of the error that a path and parameters make of these values; `nil` if there is
    /// none.
    func refusal(
        _ path: PathTemplate<Probe> = "probe", _ parameters: ParameterList<Probe> = [],
        headers: HeaderList<Probe> = [:], method: HTTPMethod = .get,
        at address: String = "https://h"
    ) throws -> String? {
        let endpoint = Endpoint<Probe>(
            method: method, path: path, parameters: parameters, headers: headers)
        do { _ = try urlRequest(of: endpoint, at: address) } catch let error as EndpointError {
            return error.description
        }
        return nil
    }
}

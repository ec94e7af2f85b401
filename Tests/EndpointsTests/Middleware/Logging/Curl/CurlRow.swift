import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request of a table of the rules, which `URLSession` and a shell send to the recorder.
struct CurlRow: Sendable {
    /// What the shell is given, and what `URLSession` is.
    typealias Made = (command: String, request: TransportRequest)

    let name: String
    /// Files that the request sends, which are removed with the row.
    private let files: [TemporaryFile]
    private let make: @Sendable (ServerEnvironment) throws -> Made

    init<Request: RequestType & Sendable>(
        _ name: String, _ request: Request, of files: [TemporaryFile] = [],
        in server: @escaping @Sendable (ServerEnvironment) -> ServerEnvironment = { $0 }
    ) {
        self.name = name
        self.files = files
        make = { recorder in
            let environment = try #require(server(recorder) as? Request.Environment)
            return (
                try request.curl(in: environment, showsCredentials: true),
                TransportRequest(
                    try request.urlRequest(in: environment), requestType: Request.self)
            )
        }
    }

    /// A request whose type has its declaration in a task-local variable.
    init<Request: RequestType & Sendable>(
        _ name: String, _ request: Request, _ local: TaskLocal<Endpoint<Request>>,
        _ endpoint: Endpoint<Request>,
        in server: @escaping @Sendable (ServerEnvironment) -> ServerEnvironment = { $0 }
    ) {
        let row = CurlRow(name, request, in: server)
        self.name = name
        files = []
        make = { recorder in try local.withValue(endpoint) { try row.make(recorder) } }
    }

    /// A ``Probe`` of a path, parameters and headers.
    init(
        _ name: String, _ probe: Probe = Probe(), _ path: PathTemplate<Probe> = "p",
        _ parameters: ParameterList<Probe> = [], headers: HeaderList<Probe> = [:],
        method: HTTPMethod = .get
    ) {
        self.init(
            name, probe, Probe.$endpoint,
            Endpoint(method: method, path: path, parameters: parameters, headers: headers))
    }

    /// The request for the recorder, which keeps what arrives under a key.
    func made(key: String) throws -> Made {
        var recorder = try Server.recorder.environment
        recorder.requestProcessor = { $0.setValue(key, forHTTPHeaderField: "X-Key") }
        return try make(recorder)
    }
}

/// A table of the rules, as rows that are sent.
struct CurlTable: Sendable, CustomTestStringConvertible {
    let name: String
    let rows: @Sendable () throws -> [CurlRow]

    init(_ name: String, _ rows: @escaping @Sendable () throws -> [CurlRow]) {
        self.name = name
        self.rows = rows
    }

    var testDescription: String { name }
}

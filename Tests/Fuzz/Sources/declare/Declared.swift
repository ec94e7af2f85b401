import Endpoints
import EndpointsTesting
import EndpointsFormats
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request of the declaration that its task is about.
struct Declared<Body: Encodable & Sendable, Response: Decodable & Sendable>: RequestType {
    typealias Environment = Server

    static var endpoint: Endpoint<Self> {
        let declaration = Declaration.current
        return Endpoint(
            method: declaration.method, path: declaration.path,
            parameters: ParameterList(declaration.parameters + [.query(contentsOf: \.items)]),
            headers: HeaderList(HeaderList(declaration.headers), contentsOf: \.moreHeaders))
    }

    static var bodyEncoder: BodyCoder { BodyCoder(form: Declaration.current.form) }

    let body: Body
    let values: Values
    let commonHeaders: [String: String?]

    var pathComponents: Values { values }
    var parameters: Values { values }
    var headerValues: Values { values }

    init(_ given: Case, _ body: Body) {
        self.body = body
        var values = given.values
        values.items = given.items.compactMap { item in
            item.first.flatMap { $0 }.map { URLQueryItem(name: $0, value: item.last ?? nil) }
        }
        values.moreHeaders = given.moreHeaders
        self.values = values
        commonHeaders = given.commonHeaders
    }
}

/// A server with headers.
struct Server: EnvironmentType {
    let baseUrl: URL
    let headers: [String: String?]
}

/// A form's encoder or JSON's.
struct BodyCoder: EncoderType {
    let form: FormEncoder?

    var contentType: MIMEType? { form?.contentType ?? JSONEncoder().contentType }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try form?.encode(value) ?? JSONEncoder().encode(value)
    }
}

/// The outcome of a case.
struct Outcome: Encodable {
    /// The base URL as `URL` writes it; `nil` if it refuses the text.
    var base: String?
    var url: String?
    var method: String?
    var headers: [String: String]?
    var body: Data?
    /// The problems of the declaration.
    var problems: [String] = []
    /// Why no request could be made.
    var refusal: String?
    /// Why it could not be loaded.
    var failure: String?
    /// Why the case is invalid, which can happen when one is made smaller.
    var nonsense: String?
}

extension Declared {
    func outcome(in environment: Server, sentBy session: URLSession?) async -> Outcome {
        var outcome = Outcome(base: environment.baseUrl.absoluteString)
        outcome.problems = Self.endpoint.problems.map(\.description)
        do throws(EndpointError) {
            let request = try urlRequest(in: environment)
            outcome.url = request.url?.absoluteString
            outcome.method = request.httpMethod
            outcome.headers = request.allHTTPHeaderFields ?? [:]
            outcome.body = request.httpBody
        } catch {
            outcome.refusal = error.description
            return outcome
        }
        guard let session else { return outcome }
        do { _ = try await session.response(in: environment, with: self) } catch {
            outcome.failure = error.debugDescription
        }
        return outcome
    }
}

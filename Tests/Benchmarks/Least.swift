// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A module that declarations compile with in place of Endpoints: the same types, no hooks, and
// functions that do nothing. What a declaration adds to a program with it is the least that this
// form of declaration can add. With TINY defined, the protocol has only a Response, an
// ErrorResponse and an endpoint.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

public struct EmptyResponse: Codable, Sendable {
    @inlinable public init() {}
}
public enum TaskError<ErrorResponse: Sendable>: Error {
    indirect case response(ErrorResponse)
}

public protocol EnvironmentType: Sendable {
    var baseUrl: URL { get }
}
public struct ServerEnvironment: EnvironmentType {
    public let baseUrl: URL
    public init(baseUrl: URL) { self.baseUrl = baseUrl }
}

public protocol RequestType<Response>: SendableMetatype {
    associatedtype Response
    associatedtype ErrorResponse: Decodable & Sendable = EmptyResponse
    static var endpoint: Endpoint<Self> { get }

    #if !TINY
        associatedtype Environment: EnvironmentType = ServerEnvironment
        associatedtype Body = EmptyResponse
        associatedtype PathComponents = Void
        associatedtype Parameters = Void
        associatedtype HeaderValues = Void
        var body: Body { get }
        var pathComponents: PathComponents { get }
        var parameters: Parameters { get }
        var headerValues: HeaderValues { get }
    #endif
}

#if TINY
    public protocol FlatRequest: RequestType {}
    extension RequestType {
        public typealias Environment = ServerEnvironment
        public typealias Body = EmptyResponse
        public typealias PathComponents = Self
        public typealias Parameters = Self
        public typealias HeaderValues = Self
    }
#else
    extension RequestType where Body == EmptyResponse {
        @inlinable public var body: EmptyResponse { EmptyResponse() }
    }
    extension RequestType where PathComponents == Void {
        @inlinable public var pathComponents: Void { () }
    }
    extension RequestType where Parameters == Void {
        @inlinable public var parameters: Void { () }
    }
    extension RequestType where HeaderValues == Void {
        @inlinable public var headerValues: Void { () }
    }

    public protocol FlatRequest: RequestType
    where PathComponents == Self, Parameters == Self, HeaderValues == Self {}
    extension FlatRequest {
        @inlinable public var pathComponents: Self { self }
        @inlinable public var parameters: Self { self }
        @inlinable public var headerValues: Self { self }
    }
#endif

public final class Part: Sendable {}
public struct HTTPMethod: Sendable {
    @usableFromInline let name: String
    @inlinable public static var get: HTTPMethod { HTTPMethod(name: "GET") }
    @usableFromInline init(name: String) { self.name = name }
}
public struct PathTemplate<Root>: ExpressibleByStringInterpolation {
    let part: Part
    public init(stringLiteral: String) { part = Part() }
    public init(stringInterpolation: StringInterpolation) { part = stringInterpolation.part }
    public struct StringInterpolation: StringInterpolationProtocol {
        @usableFromInline let part: Part
        public init(literalCapacity: Int, interpolationCount: Int) { part = Part() }
        public func appendLiteral(_ literal: String) {}
        public func appendInterpolation<Value: Hashable>(
            path: consuming KeyPath<Root, Value> & Sendable, includesSlash: Bool = true
        ) {}
    }
}
public struct Parameter<Root>: Sendable {
    let part: Part
    public static func query<Value: Hashable>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable
    ) -> Parameter { Parameter(part: Part()) }
}
public struct ParameterList<Root>: ExpressibleByArrayLiteral {
    let part: Part
    public init(arrayLiteral: Parameter<Root>...) { part = Part() }
}
public struct HeaderList<Root>: ExpressibleByDictionaryLiteral {
    let part: Part
    public init(dictionaryLiteral: (String, String)...) { part = Part() }
}
public struct Endpoint<Request: RequestType>: Sendable {
    let part: Part
    public init(
        method: HTTPMethod, path: PathTemplate<Request.PathComponents>,
        parameters: ParameterList<Request.Parameters> = [],
        headers: HeaderList<Request.HeaderValues> = [:]
    ) { part = Part() }
}

public protocol Transport: Sendable {}
extension URLSession: Transport {}
extension Transport {
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request
    ) async throws(TaskError<Request.ErrorResponse>) -> Request.Response { fatalError() }
}

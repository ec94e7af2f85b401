import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each unavailable function in this file matches a common mistake. The compiler refuses the call
/// and shows the function's message, which says what to write instead.
extension PathTemplate.StringInterpolation {
    /// `\(id)` doesn't compile: the path is declared once for all requests of a type, and `id` is a
    /// property of one request.
    @available(*, unavailable, message: "write \\(path: \\.id), or \\(value: constant)")
    @_disfavoredOverload
    public func appendInterpolation<Value>(_ value: Value) {}

    /// `\(\.id)` doesn't compile, because it needs the label `path:`.
    @available(*, unavailable, message: "write \\(path: \\.id), or \\(value: constant)")
    public func appendInterpolation<Value>(_ path: KeyPath<Root, Value>) {}
}

/// A type with a property of every name. In a request type that has no values to read, `Root` is
/// `Void`. There, a key path in `\(path:)` or `.query(_:path:)` is taken for one of this type. So
/// it matches an unavailable function below, and the compiler shows that function's message.
@dynamicMemberLookup
public struct AnyProperty {
    /// A property of any name.
    public subscript(dynamicMember name: String) -> AnyProperty { self }
}

extension PathTemplate.StringInterpolation where Root == Void {
    /// `\(path: \.id)` needs a ``FlatRequest`` or a struct `PathComponents`.
    @available(
        *, unavailable,
        message: "declare the request as FlatRequest, or add a struct PathComponents"
    )
    @_disfavoredOverload
    public func appendInterpolation(
        path: KeyPath<AnyProperty, AnyProperty>, includesSlash: Bool = true
    ) {}
}

extension Parameter where Root == Void {
    /// `.query("id", path: \.id)` needs a ``FlatRequest`` or a struct `Parameters`.
    @available(
        *, unavailable,
        message: "declare the request as FlatRequest, or add a struct Parameters"
    )
    @_disfavoredOverload
    public static func query(
        _ name: String, path: KeyPath<AnyProperty, AnyProperty>
    ) -> Parameter { Parameter(.query, name, ValueSource(texts: "")) }
}

extension Parameter {
    /// `.query("id", \.id)` doesn't compile, because it needs the label `path:`.
    @available(*, unavailable, message: "write .query(name, path: \\.property)")
    public static func query<Value>(_ name: String, _ path: KeyPath<Root, Value>) -> Parameter {
        .queryFlag(name)
    }

    /// `.query("v", value: 3)` doesn't compile, because a constant has a function of its own.
    @available(*, unavailable, message: "write .queryValue(name, value: constant)")
    public static func query<Value: ParameterRepresentable>(
        _ name: String, value: Value, style: ParameterStyle = .repeated
    ) -> Parameter { .queryFlag(name) }

    /// `.form("id", \.id)` doesn't compile, because it needs the label `path:`.
    @available(*, unavailable, message: "write .form(name, path: \\.property)")
    public static func form<Value>(_ name: String, _ path: KeyPath<Root, Value>) -> Parameter {
        .queryFlag(name)
    }

    /// `.form("v", value: 3)` doesn't compile, because a constant has a function of its own.
    @available(*, unavailable, message: "write .formValue(name, value: constant)")
    public static func form<Value: ParameterRepresentable>(
        _ name: String, value: Value, style: ParameterStyle = .repeated
    ) -> Parameter { .queryFlag(name) }

    /// `.part("id", \.id)` doesn't compile, because it needs the label `path:`.
    @available(*, unavailable, message: "write .part(name, path: \\.property)")
    public static func part<Value>(_ name: String, _ path: KeyPath<Root, Value>) -> Parameter {
        .queryFlag(name)
    }

    /// `.part("v", value: 3)` doesn't compile, because a constant has a function of its own.
    @available(*, unavailable, message: "write .partValue(name, value: constant)")
    public static func part<Value: ParameterRepresentable>(
        _ name: String, value: Value, style: ParameterStyle = .repeated
    ) -> Parameter { .queryFlag(name) }

    /// `.form("photo", path: \.photo)` doesn't compile for a `File`, or `Data` without a format.
    @available(
        *, unavailable,
        message: "a File or Data can't be a form field; use .part(…), or format: .base64 for Data"
    )
    @_disfavoredOverload
    public static func form<Value: FileRepresentable>(
        _ name: String, path: KeyPath<Root, Value> & Sendable
    ) -> Parameter { .part(name, path: path) }
}

extension RequestType
where
    Body == [String: Any], BodyEncoder: EncoderType, ResponseDecoder: DecoderType,
    ErrorDecoder: DecoderType, CommonHeaders: HeaderFields
{
    /// A body of `[String: Any]` doesn't compile, because not every value can be encoded.
    @available(
        *, unavailable,
        message: """
            declare the body as an Encodable struct, or as a dictionary of one type, such as \
            [String: String]; Any can't be encoded
            """
    )
    @_disfavoredOverload
    public static var checkedHooks: CheckedHooks<Self> {
        CheckedHooks(
            body: BodyPlan(EmptyResponse.self), mediaType: { nil }, encodedBody: { _ in nil },
            accept: { nil }, commonHeaders: nil, hasSecretHeaders: (false, false),
            jsonEncoder: { nil }, responseDecoder: { responseDecoder },
            errorDecoder: { errorDecoder })
    }
}

/// The ``RequestType/Response`` of a request that declares none.
///
/// Such a request doesn't compile, unless it or a protocol of yours has a
/// `response(data:httpResponse:)` written as `-> Response`. Then making its `URLRequest` throws an
/// ``EndpointError``. (If the function is written with another type, such as `-> User`, Swift
/// infers that the `Response` is a `User`.)
public struct UndeclaredResponse {}

extension RequestType where Response == UndeclaredResponse {
    /// A request without a declared `Response` doesn't compile. Declare `Void` to read nothing.
    @available(*, unavailable, message: "declare a Response; write Void if the body isn't read")
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        UndeclaredResponse()
    }
}

extension RequestType {
    /// A `Response` that can't be read doesn't compile. Every other `response(data:httpResponse:)`
    /// is for a type that can be read, so Swift takes this one only if none of them fits.
    @available(
        *, unavailable,
        message: """
            make the Response Decodable (and `nonisolated` in a module whose code is on the main \
            actor by default), declare a responseDecoder of one type, not `any DecoderType`, or \
            write `static func response(data: Data, httpResponse: HTTPURLResponse)`
            """
    )
    @_disfavoredOverload
    public static func response<Value>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == Value {
        throw UnreadableContent.none
    }
}

extension Parameter {
    /// `.part("meta", path: \.meta)` doesn't compile for a value that must be encoded first.
    @available(*, unavailable, message: "add `encoding: .json` to .part, or send a File")
    @_disfavoredOverload
    public static func part<Value: Encodable>(
        _ name: String, path: KeyPath<Root, Value> & Sendable
    ) -> Parameter { .queryFlag(name) }
}

import Foundation

/// Reads the query items, form fields and headers that a request adds at run time.
///
/// The closures are made in the library, to keep their code out of the module that declares the
/// request. If the request type doesn't declare a property, the closure to read it is `nil`.
struct Additions: Sendable {
    private typealias Reader<Value> = @Sendable (BorrowedValues) throws -> Value

    private let readQueryItems: Reader<[URLQueryItem]>?
    private let readFormItems: Reader<[URLQueryItem]>?
    private let readCommonHeaders: Reader<[HeaderText]>?
    private let readHeaders: Reader<[HeaderText]>?
    /// The problems of additional query items and form fields that are ``Credentials``.
    let problems: [Problem]
    /// Whether the values of the environment's, common and additional headers are ``Credentials``.
    let hasSecrets: (environment: Bool, common: Bool, additional: Bool)

    init<Request: RequestType>(_ type: Request.Type)
    where
        Request.AdditionalQueryItems: QueryItems, Request.AdditionalFormItems: QueryItems,
        Request.CommonHeaders: HeaderFields, Request.AdditionalHeaders: HeaderFields
    {
        readQueryItems = Self.reader(Request.AdditionalQueryItems.self) { values in
            try values.read(type) { try $0.additionalQueryItems.queryItems }
        }
        readFormItems = Self.reader(Request.AdditionalFormItems.self) { values in
            try values.read(type) { try $0.additionalFormItems.queryItems }
        }
        readCommonHeaders = Self.reader(Request.CommonHeaders.self) { values in
            try values.read(type) { try $0.commonHeaders.headerTexts }
        }
        readHeaders = Self.reader(Request.AdditionalHeaders.self) { values in
            try values.read(type) { try $0.additionalHeaders.headerTexts }
        }
        hasSecrets = (
            Request.Environment.EnvironmentHeaders.self is any SecretValue.Type,
            Request.CommonHeaders.self is any SecretValue.Type,
            Request.AdditionalHeaders.self is any SecretValue.Type
        )
        let hasSecretItems = Request.AdditionalQueryItems.self is any SecretValue.Type
        let hasSecretFields = Request.AdditionalFormItems.self is any SecretValue.Type
        problems =
            (hasSecretItems ? [.secret(.property("additionalQueryItems"))] : [])
            + (hasSecretFields ? [.secret(.property("additionalFormItems"))] : [])
    }

    private static func reader<Value>(
        _ type: Any.Type, _ read: @escaping Reader<Value>
    ) -> Reader<Value>? {
        type == NoValues.self ? nil : read
    }

    /// The additional query items; `nil` if the request type doesn't declare them.
    func queryItems(of request: BorrowedRequest) throws(FieldError) -> [URLQueryItem]? {
        try Self.read(readQueryItems, of: request, .property("additionalQueryItems"))
    }

    var hasFormItems: Bool { readFormItems != nil }

    func formItems(of request: BorrowedRequest) throws(FieldError) -> [URLQueryItem]? {
        do throws(FieldError) {
            return try Self.read(readFormItems, of: request, .property("additionalFormItems"))
        } catch {
            guard case .query(let name) = error.field else { throw error }
            throw FieldError(.form(name), error.reason, cause: error.cause)
        }
    }

    func commonHeaders(of request: BorrowedRequest) throws(FieldError) -> [HeaderText]? {
        try Self.read(readCommonHeaders, of: request, .property("commonHeaders"))
    }

    func headers(of request: BorrowedRequest) throws(FieldError) -> [HeaderText]? {
        try Self.read(readHeaders, of: request, .property("additionalHeaders"))
    }

    @inline(__always)
    private static func read<Value>(
        _ reader: Reader<Value>?, of request: BorrowedRequest, _ field: EndpointError.Field
    ) throws(FieldError) -> Value? {
        guard let reader else { return nil }
        do { return try reader(request.request) } catch {
            throw error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error)
        }
    }
}

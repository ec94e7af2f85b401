import Foundation

/// How a request's body is written. Add a new kind of body here. (Form fields and parts are
/// parameters: see ``ParameterPlan`` and ``PartPlan``.)
package enum BodyPlan: Sendable {
    case none
    /// `Data` or `String`, sent as it is.
    case raw(MIMEType)
    case file
    case multipart
    /// A value of any other type, encoded by the request's `bodyEncoder`.
    case encoded
    indirect case optional(BodyPlan)

    enum EncodedBody {
        case data(Data, MIMEType?)
        case upload(Upload, MIMEType)
    }

    init(_ type: Any.Type) {
        if type == EmptyResponse.self {
            self = .none
        } else if type == Data.self {
            self = .raw(.octetStream)
        } else if type == String.self {
            self = .raw(.plainText)
        } else if type == File.self {
            self = .file
        } else if type == Multipart.self {
            self = .multipart
        } else if let type = type as? any OptionalValue.Type {
            self = .optional(BodyPlan(type.wrappedType))
        } else {
            self = .encoded
        }
    }

    /// Whether the request type has a `body` to send. An optional body counts, even if it is `nil`.
    package var isDeclared: Bool {
        if case .none = self { false } else { true }
    }

    package var isMultipart: Bool {
        switch self {
        case .multipart: true
        case .optional(let plan): plan.isMultipart
        case .none, .raw, .file, .encoded: false
        }
    }

    /// The body's media type, if its type and this encoder alone determine it; otherwise `nil`.
    func contentType(_ encoder: some EncoderType) -> MIMEType? {
        switch self {
        case .none, .file, .multipart, .optional: nil
        case .raw(let type): type
        case .encoded: encoder.contentType
        }
    }

    /// The encoder's media type, if the body is optional. A body that is always encoded has the
    /// same media type in every request, and ``HeaderPlan`` checks it.
    func optionalContentType(_ encoder: some EncoderType) -> MIMEType? {
        guard case .optional(let plan) = self else { return nil }
        switch plan {
        case .encoded, .optional: return encoder.contentType
        case .none, .raw, .file, .multipart: return nil
        }
    }

    /// The encoded body; `nil` if the request has none, or if an optional body is `nil`.
    func content(
        of body: some Encodable, _ encoder: some EncoderType
    ) throws(FieldError) -> EncodedBody? {
        switch self {
        case .none:
            return nil
        case .raw(let type):
            let data = (body as? Data) ?? (body as? String).map { Data($0.utf8) }
            return data.map { .data($0, type) }
        case .file:
            return (body as? File).map { .upload(Upload($0), $0.contentType) }
        case .multipart:
            return try (body as? Multipart).map { multipart throws(FieldError) in
                EncodedBody(try multipart.form(encoder))
            }
        case .encoded:
            return .data(try Self.encode(body, encoder), encoder.contentType)
        case .optional(let plan):
            guard let value = (body as? any OptionalValue)?.wrapped as? any Encodable else {
                return nil
            }
            // In a double optional, `.some(nil)` is a value, and is encoded: in JSON, as `null`.
            if let second = value as? any OptionalValue, second.isNil {
                return .data(try Self.encode(value, encoder), encoder.contentType)
            }
            return try plan.content(of: value, encoder)
        }
    }

    private static func encode(
        _ body: some Encodable, _ encoder: some EncoderType
    ) throws(FieldError) -> Data {
        do { return try encoder.encode(body) } catch {
            throw FieldError(.body, "could not be encoded: \(error.safeReason)", cause: error)
        }
    }
}

extension BodyPlan.EncodedBody {
    init(_ form: MultipartForm) {
        self = .upload(form.upload, form.contentType)
    }
}

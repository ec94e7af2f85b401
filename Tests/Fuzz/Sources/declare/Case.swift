import Endpoints
import EndpointsFormats
import Foundation

/// One case as `cases.py` describes it: a declaration, the values for it and a base URL.
struct Case: Decodable {
    let method: String
    let path: [Piece]
    let parameters: [Field]
    let headers: [Field]
    let items: [[String?]]
    /// The headers of the environment, those of `commonHeaders` and those of a property.
    let serverHeaders, commonHeaders, moreHeaders: [String: String?]
    let body: Content?
    /// Whether the response is decoded as JSON, which decides the Accept header.
    let decodes: Bool
    let base: String
    let values: Values
    let sends: Bool

    /// A piece of a path: literal text, a property as one value, one as several segments, or a
    /// constant.
    struct Piece: Decodable {
        let literal, value, segments, constant: String?
        let isConstant: Bool?
        let slash: Bool?
    }

    /// A parameter or a header: a property, or a constant text.
    struct Field: Decodable {
        let name: String
        let value, constant: String?
        let isForm: Bool?
        let style: String?
        /// How the lists of a nested value are written.
        let arrays: String?
    }

    /// A body, by the type it has in the declaration.
    struct Content: Decodable {
        let type: String
        let text: String?
        let number: Double?
        let tree: Tree?
        let arrays: String?
    }
}

/// A declaration made at run time; the request types below find it in the task.
struct Declaration: Sendable {
    @TaskLocal static var current = Declaration()

    var method: HTTPMethod = .get
    var path: PathTemplate<Values> = ""
    var parameters: [Parameter<Values>] = []
    var headers: [Headers: HeaderField<Values>] = [:]
    /// The encoder of a body that is a form; JSON's if there is none.
    var form: FormEncoder?
}

extension Declaration {
    init(_ given: Case) throws {
        method = HTTPMethod(rawValue: given.method)
        var pieces = PathTemplate<Values>.StringInterpolation(
            literalCapacity: 0, interpolationCount: given.path.count)
        for piece in given.path {
            if let literal = piece.literal { pieces.appendLiteral(literal) }
            if piece.isConstant == true {
                pieces.appendInterpolation(
                    value: piece.constant, includesSlash: piece.slash ?? true)
            }
            if let name = piece.value {
                try Property.named(name).path(&pieces, piece.slash ?? true)
            }
            if let name = piece.segments { try Property.named(name).segments(&pieces) }
        }
        path = PathTemplate(stringInterpolation: pieces)
        parameters = try given.parameters.map(Self.parameter)
        form = given.body?.arrays.map(Tree.encoder)
        for field in given.headers {
            let name = Headers(name: field.name)
            headers[name] = try field.constant.map(HeaderField.fieldValue) ?? Self.header(field)
        }
    }

    private static func parameter(_ field: Case.Field) throws -> Parameter<Values> {
        let style = Property.styles[field.style ?? ""] ?? .repeated
        let isForm = field.isForm ?? false
        if let text = field.constant {
            return isForm
                ? .formValue(field.name, value: text) : .queryValue(field.name, value: text)
        }
        if let arrays = field.arrays {
            let encoding = ParameterEncoding.brackets(by: Tree.encoder(arrays))
            return isForm
                ? .form(field.name, path: \.tree, encoding: encoding)
                : .query(field.name, path: \.tree, encoding: encoding)
        }
        return try Property.named(field.value ?? "").parameter(field.name, isForm, style)
    }

    private static func header(_ field: Case.Field) throws -> HeaderField<Values> {
        try Property.named(field.value ?? "").header
    }
}

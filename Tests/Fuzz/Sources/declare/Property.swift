import Endpoints
import Foundation

/// One of the properties of ``Values``, in every place of a declaration that its type allows.
struct Property: Sendable {
    typealias Pieces = PathTemplate<Values>.StringInterpolation
    struct NotHere: Error {}

    private var inPath: (@Sendable (inout Pieces, Bool) -> Void)?
    private var asSegments: (@Sendable (inout Pieces) -> Void)?
    private var asParameter: (@Sendable (String, Bool, ParameterStyle) -> Parameter<Values>)?
    private var inHeader: HeaderField<Values>?

    static let styles: [String: ParameterStyle] = [
        "repeated": .repeated, "commaSeparated": .commaSeparated, "brackets": .brackets,
    ]

    func path(_ pieces: inout Pieces, _ includesSlash: Bool) throws {
        guard let inPath else { throw NotHere() }
        inPath(&pieces, includesSlash)
    }

    func segments(_ pieces: inout Pieces) throws {
        guard let asSegments else { throw NotHere() }
        asSegments(&pieces)
    }

    func parameter(
        _ name: String, _ isForm: Bool, _ style: ParameterStyle
    ) throws -> Parameter<Values> {
        guard let asParameter else { throw NotHere() }
        return asParameter(name, isForm, style)
    }

    var header: HeaderField<Values> {
        get throws {
            guard let inHeader else { throw NotHere() }
            return inHeader
        }
    }

    static func named(_ name: String) throws -> Property {
        guard let property = all[name] else { throw NotHere() }
        return property
    }

    private static func one<Value: PathRepresentable>(
        _ path: KeyPath<Values, Value> & Sendable
    ) -> Property {
        var property = several(path)
        property.inPath = { $0.appendInterpolation(path: path, includesSlash: $1) }
        property.inHeader = .field(path: path)
        return property
    }

    private static func several<Value: ParameterRepresentable>(
        _ path: KeyPath<Values, Value> & Sendable
    ) -> Property {
        Property(asParameter: { name, isForm, style in
            isForm
                ? .form(name, path: path, style: style) : .query(name, path: path, style: style)
        })
    }

    private static func segments<Value: ParameterRepresentable & PathSegmentsRepresentable>(
        _ path: KeyPath<Values, Value> & Sendable
    ) -> Property {
        var property = several(path)
        property.asSegments = { $0.appendInterpolation(segments: path) }
        return property
    }

    private static func day(_ path: KeyPath<Values, Date> & Sendable) -> Property {
        let format = Date.ISO8601FormatStyle().year().month().day()
        return Property(
            inPath: { $0.appendInterpolation(path: path, format: format, includesSlash: $1) },
            asParameter: { name, isForm, _ in
                isForm
                    ? .form(name, path: path, format: format)
                    : .query(name, path: path, format: format)
            },
            inHeader: .field(path: path, format: format))
    }

    private static func json(_ path: KeyPath<Values, [String: String]> & Sendable) -> Property {
        Property(asParameter: { name, isForm, _ in
            isForm
                ? .form(name, path: path, encoding: .json)
                : .query(name, path: path, encoding: .json)
        })
    }

    private static let all: [String: Property] = [
        "flag": one(\.flag), "text": one(\.text), "small": one(\.small), "maybe": one(\.maybe),
        "count": one(\.count), "big": one(\.big), "maybeCount": one(\.maybeCount),
        "number": one(\.number), "single": one(\.single), "decimal": one(\.decimal),
        "word": one(\.word), "moment": one(\.moment), "maybeMoment": one(\.maybeMoment),
        "id": one(\.id), "letter": one(\.letter), "slice": one(\.slice),
        "nested": one(\.nested.text), "shared": one(\.shared.text), "computed": one(\.computed),
        "basic": one(\.basic), "bearer": one(\.bearer),
        "list": segments(\.list), "maybes": segments(\.maybes), "numbers": segments(\.numbers),
        "text as segments": Property(asSegments: { $0.appendInterpolation(segments: \.text) }),
        "map": several(\.map), "map as JSON": json(\.map), "day": day(\.moment),
    ]
}

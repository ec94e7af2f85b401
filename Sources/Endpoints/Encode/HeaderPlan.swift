/// The headers of an endpoint, prepared: names and constants are checked, and each value has a
/// source.
struct HeaderPlan: Sendable {
    /// The headers that are the same in every request.
    private(set) var constants: [String: String] = [:]
    /// The headers that are read from each request.
    private let values: ValueReader
    /// The names of the headers that are read from each request.
    private let names: [String]
    /// The spelling of each header's name, as names are compared without case.
    private var spellings: [Headers: String] = [:]
    /// The problems of the declared headers.
    private(set) var problems: [Problem] = []

    /// Whether a header is read from each request.
    var hasValues: Bool { !names.isEmpty }
    var propertyNames: [String] { values.propertyNames }

    /// - Parameter defaults: The headers that are sent if the declaration has none of that name.
    init<Root>(_ list: HeaderList<Root>, defaults: [Headers: MIMEType?]) {
        var fields: [Headers: HeaderField<Root>] = [:]
        for (name, field) in list.headers {
            problems += name.problems
            if fields.updateValue(field, forKey: name) != nil {
                let reason = "is declared twice, and only the last one is sent; remove one"
                problems.append(.warning(FieldError(.header(name.name), reason)))
            }
            spellings[name] = name.name
        }
        constants = Dictionary(minimumCapacity: fields.count + defaults.count)
        for (name, type) in defaults {
            let spelling = spellings[name] ?? name.name
            spellings[name] = spelling
            let (constant, problem) = Self.checked(.success(.one(type?.rawValue)), of: spelling)
            constants[spelling] = constant
            problems += problem
        }
        var read: [(name: String, source: ValueSource)] = []
        for (name, _) in list.headers {
            guard let field = fields.removeValue(forKey: name) else { continue }
            let spelling = spellings[name] ?? name.name
            if let result = field.source.constant {
                let (constant, problem) = Self.checked(result, of: spelling)
                if let constant { constants[spelling] = constant }
                problems += problem
            } else {
                read.append((spelling, field.source))
            }
        }
        names = read.map(\.name)
        values = ValueReader(read.map(\.source))
    }

    /// The value of a constant header, or its problems.
    private static func checked(
        _ constant: Result<ParameterTexts, any Error>, of name: String
    ) -> (value: String?, problems: [Problem]) {
        do {
            guard let text = try constant.get().text else { return (nil, []) }
            let value = try Headers.checked(text, of: name)
            return (value, Headers(name: name).mediaTypeProblems(of: value))
        } catch let error as FieldError {
            return (nil, [.error(error)])
        } catch {
            return (nil, [.error(FieldError(.header(name), unrepresentableBecauseOf: error))])
        }
    }

    /// The spelling of a name in the declaration, or else its own.
    func spelling(of name: Headers) -> String {
        spellings[name] ?? name.name
    }

    /// Adds the headers that are read from a request.
    func add(
        _ request: BorrowedValues, to fields: inout [String: String]
    ) throws(FieldError) {
        for index in names.indices {
            guard let text = try text(index, request) else { continue }
            fields[names[index]] = try Headers.checked(text, of: names[index])
        }
    }

    @inline(__always)
    private func text(_ index: Int, _ request: BorrowedValues) throws(FieldError) -> String? {
        do { return try values.texts(index, in: request).text } catch {
            throw FieldError(.header(names[index]), unrepresentableBecauseOf: error)
        }
    }

    /// Adds headers that are known only at run time; each replaces a declared one of the same name.
    func add(
        _ headers: [Headers: String], to fields: inout [String: String]
    ) throws(FieldError) {
        for (name, value) in headers { fields[spelling(of: name)] = try name.checked(value) }
    }
}

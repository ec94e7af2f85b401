/// The headers of an endpoint, compiled: names checked, constants ready, one reader per value.
struct HeaderPlan: Sendable {
    private struct Item: Sendable {
        let name: String
        let source: Source<String?>
        /// The property where it has a place in memory, which is read without counting references.
        let stored: StoredProperty<String?>?
    }

    /// The headers that are the same in every request.
    private(set) var constants: [String: String] = [:]
    /// The headers that are read from each request.
    private var items: [Item] = []
    /// How a header's name is written, as names differ only in case.
    private var spellings: [Headers: String] = [:]
    /// What is wrong with the declared headers.
    private(set) var problems: [Problem] = []

    /// Whether a request's values have a part in the headers.
    var hasValues: Bool { !items.isEmpty }
    var propertyNames: [String] { items.compactMap(\.source.propertyName) }

    /// - Parameter defaults: What is sent where the declaration doesn't say otherwise.
    init<Root>(_ list: HeaderList<Root>, defaults: [Headers: MIMEType?]) {
        var fields: [Headers: HeaderField<Root>] = [:]
        for (name, field) in list.headers {
            problems += name.problems
            if fields.updateValue(field, forKey: name) != nil {
                let problem = "is declared twice, and only the last one is sent; remove one"
                problems.append(.suspicion(FieldError(.header(name.name), problem)))
            }
            spellings[name] = name.name
        }
        constants = Dictionary(minimumCapacity: fields.count + defaults.count)
        for (name, type) in defaults {
            spellings[name] = spelling(of: name)
            add(HeaderField<Root>.fieldValue(value: type), named: spelling(of: name))
        }
        for (name, _) in list.headers {
            if let field = fields.removeValue(forKey: name) {
                add(field, named: spelling(of: name))
            }
        }
    }

    private mutating func add<Root>(_ field: HeaderField<Root>, named name: String) {
        guard case .constant(let result) = field.source else {
            let item = Item(name: name, source: field.source, stored: field.source.stored)
            items.append(item)
            return
        }
        do {
            if let value = try result.get() {
                constants[name] = try Headers.checked(value, of: name)
            }
        } catch let error as FieldError {
            problems.append(.refusal(error))
        } catch {
            let error = FieldError(.header(name), unrepresentableBecauseOf: error)
            problems.append(.refusal(error))
        }
    }

    /// How a name is spelled in the declaration, or else by itself.
    func spelling(of name: Headers) -> String {
        spellings[name] ?? name.name
    }

    /// The headers that are read from a request.
    func add(
        _ values: Values, to fields: inout [String: String]
    ) throws(FieldError) {
        for index in items.indices {
            guard let text = try text(index, values) else { continue }
            fields[items[index].name] = try Headers.checked(text, of: items[index].name)
        }
    }

    private func text(_ index: Int, _ values: Values) throws(FieldError) -> String? {
        do {
            if let stored = items[index].stored { return try stored.read(values) }
            return try items[index].source.value(in: values)
        } catch {
            throw FieldError(.header(items[index].name), unrepresentableBecauseOf: error)
        }
    }

    /// Headers that are known only at run time, in place of declared ones of their names.
    func add(
        _ headers: [Headers: String], to fields: inout [String: String]
    ) throws(FieldError) {
        for (name, value) in headers { fields[spelling(of: name)] = try name.checked(value) }
    }
}

import Endpoints

private let twice = "is declared twice; remove one, or declare one that sends an array"

extension ParameterPlan {
    func addValueProblems(to problems: inout Problems) {
        for index in fields.indices {
            problems.check { () throws(FieldError) in try checkValue(index) }
        }
    }

    /// Warns about names that are empty or declared twice.
    func addNameWarnings(to problems: inout Problems) {
        // Names are compared as bytes, as on servers. `String` ignores how an accent is written.
        var counts: [[UInt8]: Int] = [:]
        for field in fields {
            guard let name = field.parameterName else { continue }
            let count = counts[Array(name.utf8), default: 0] + 1
            counts[Array(name.utf8)] = count
            if count == 2 {
                problems.add(field, twice)
            } else if name.isEmpty && count == 1 {
                problems.add(field, "has no name; give it one")
            }
        }
    }
}

extension PartPlan {
    func addProblems(to problems: inout Problems) {
        var counts: [[UInt8]: Int] = [:]
        for (index, name) in names.enumerated() {
            do throws(FieldError) {
                try checkPart(index)
                counts[Array(name.utf8), default: 0] += 1
                if counts[Array(name.utf8)] == 2 { problems.add(.part(name), twice) }
            } catch { problems.list.append(error) }
        }
    }
}

extension EndpointError.Field {
    /// The name of a query item or a form field; `nil` for `contentsOf:`.
    fileprivate var parameterName: String? {
        switch self {
        case .query(let name), .form(let name): name
        default: nil
        }
    }
}

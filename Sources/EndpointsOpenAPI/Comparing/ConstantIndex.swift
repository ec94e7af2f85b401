import EndpointsDocuments

/// The variants of a union by the constants that tell them apart, such as `type`.
struct ConstantIndex {
    enum Match {
        /// The variants that a value of another one may be.
        case possible([ComparedSchema])
        /// A constant that no variant has.
        case unknown(name: String, value: String)
    }

    private let all: [(variant: ComparedSchema, constants: [String: String])]
    /// The member that has the most constants.
    private let name: String?
    private var places: [String: [Int]] = [:]
    /// The variants in which the member isn't constant.
    private var others: [Int] = []

    init(_ variants: [ComparedSchema], in document: ComparedDocument) {
        all = variants.map { ($0, document.constants(of: $0)) }
        var values: [String: Set<String>] = [:]
        for (name, value) in all.flatMap(\.constants) {
            values[name, default: []].insert(value)
        }
        name = values.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
        for (place, one) in all.enumerated() {
            if let value = name.flatMap({ one.constants[$0] }) {
                places[value, default: []].append(place)
            } else {
                others.append(place)
            }
        }
    }

    /// The variants whose constants are those of another variant.
    func variants(for other: ComparedSchema, in document: ComparedDocument) -> Match {
        let constants = document.constants(of: other)
        guard let name, let value = constants[name] else { return .possible(all.map(\.variant)) }
        let possible = (places[value] ?? []) + others
        if possible.isEmpty { return .unknown(name: name, value: value) }
        let equal = possible.filter { place in
            all[place].constants.allSatisfy { constants[$0.key, default: $0.value] == $0.value }
        }
        return .possible((equal.isEmpty ? possible : equal).map { all[$0].variant })
    }
}

extension ComparedDocument {
    /// The members that have one value.
    fileprivate func constants(of variant: ComparedSchema) -> [String: String] {
        variant.properties.compactMapValues { node in
            guard let values = schema(node).values, values.count == 1 else { return nil }
            return values[0].plainText
        }
    }
}

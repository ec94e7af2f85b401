/// Reads the values of a path, of parameters or of headers from each request.
struct ValueReader: Sendable {
    let sources: [ValueSource]
    /// For each value, the property that is read directly from memory (see ``BorrowedValues``);
    /// `nil` if only the value's ``ValueSource`` can read it. That takes longer, because using a
    /// ``ValueSource`` counts references to objects.
    private let stored: [StoredProperty?]

    init(_ sources: [ValueSource]) {
        self.sources = sources
        stored = sources.map(\.stored)
    }

    var count: Int { sources.count }

    subscript(index: Int) -> ValueSource { sources[index] }

    @inline(__always)
    func texts(_ index: Int, in values: BorrowedValues) throws -> ParameterTexts {
        if let stored = stored[index] { return try stored.read(values) }
        return try sources[index].texts(in: values)
    }
}

/// The headers of an endpoint, prepared once for all requests: names and constants are checked. The
/// other values are read from each request.
///
/// Headers are added in this order: the defaults of `Accept` and `Content-Type`, the environment's
/// headers, the common headers, the declared ones, and those whose names are known only at run
/// time. A header replaces a header of the same name that was added before, and a `nil` value
/// removes that header.
package struct HeaderPlan: Sendable {
    /// ``defaults``, ``constants`` and an empty text for each of ``names``, for requests without
    /// environment or common headers.
    private var prepared: [String: String] = [:]
    /// Where ``prepared`` has each of ``names``.
    private var places: [Dictionary<String, String>.Index] = []
    let defaults: (accept: MIMEType?, contentType: MIMEType?)
    /// The declared headers that are the same in every request; `nil` leaves a header out.
    private var constants: [(name: String, text: String?)] = []
    private let values: ValueReader
    /// The names of the headers that are read from each request.
    private let names: [String]
    /// The properties that have headers whose names are known only at run time.
    package let contents: [ValueSource]
    /// The spelling in which each name is sent: `accept` and `Accept` are the same header.
    private var spellings: [Headers: String] = [:]
    private let declaresContentType: Bool
    /// The names of the declared headers whose values are ``Credentials``.
    private(set) var secrets: Set<Headers> = []
    /// The problems of the declared headers, and of the defaults of `Accept` and `Content-Type`.
    private(set) var problems: [Problem] = []

    /// Whether a request's values are read.
    let hasValues: Bool
    /// Whether a request without a body has no headers but those of the environment and the common
    /// ones.
    let isEmpty: Bool
    package var sources: [ValueSource] { values.sources + contents }
    package var constantNames: [String] { constants.map(\.name) }

    /// - Parameters:
    ///   - accept: The default of `Accept`, from ``RequestType/defaultAccept``.
    ///   - contentType: The media type of the body, if every request has the same.
    init<Root>(_ list: HeaderList<Root>, accept: MIMEType?, contentType: MIMEType?) {
        self.init(
            list.headers.map { ($0.name, $0.field.source) }, list.contents, accept, contentType)
    }

    // Not generic, so that it takes less machine code.
    private init(
        _ headers: [(name: Headers, source: ValueSource)], _ contents: [ValueSource],
        _ accept: MIMEType?, _ contentType: MIMEType?
    ) {
        defaults = (accept, contentType)
        self.contents = contents
        var sources: [Headers: ValueSource] = [:]
        for (name, source) in headers {
            problems += name.problems
            if sources.updateValue(source, forKey: name) != nil {
                let reason = "is declared twice, and only the last one is sent; remove one"
                problems.append(.warning(FieldError(.header(name.name), reason)))
            }
            spellings[name] = name.name
        }
        var read: [(name: String, source: ValueSource)] = []
        for (name, _) in headers {
            guard let source = sources.removeValue(forKey: name) else { continue }
            let spelling = spellings[name] ?? name.name
            if source.isSecret { secrets.insert(name) }
            if source.isUnformattedDate { problems += name.dateProblems }
            if let result = source.constant {
                let (text, problem) = Self.checked(result, of: spelling)
                constants.append((spelling, text))
                problems += problem
            } else {
                read.append((spelling, source))
            }
        }
        names = read.map(\.name)
        values = ValueReader(read.map(\.source))
        hasValues = !read.isEmpty || !contents.isEmpty
        declaresContentType = spellings[.contentType] != nil
        for (name, type) in [(Headers.accept, accept), (.contentType, contentType)] {
            let spelling = spellings[name] ?? name.name
            spellings[name] = spelling
            let (text, problem) = Self.checked(.success(.one(type?.rawValue)), of: spelling)
            prepared[spelling] = text
            problems += problem
        }
        for (name, text) in constants { prepared[name] = text }
        for name in names { prepared[name] = "" }
        isEmpty = prepared.isEmpty && !hasValues
        places = names.compactMap { prepared.index(forKey: $0) }
    }

    /// The value of a constant header, `nil` if it isn't sent, and the header's problems.
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

    /// The headers of a request with a body of this media type: the defaults, the environment's,
    /// the common and the declared headers, added in this order.
    func fields(
        _ contentType: MIMEType?, _ environment: [HeaderText], _ common: [HeaderText],
        _ request: BorrowedValues
    ) throws(FieldError) -> [String: String] {
        if environment.isEmpty && common.isEmpty
            && (declaresContentType || contentType == defaults.contentType)
        {
            guard hasValues else { return prepared }
            var fields = prepared
            try add(request, to: &fields, at: places)
            return fields
        }
        var fields: [String: String] = [:]
        try add(defaults.accept, as: .accept, to: &fields)
        try add(contentType, as: .contentType, to: &fields)
        try add(environment, to: &fields)
        try add(common, to: &fields)
        for (name, text) in constants { fields[name] = text }
        for name in names { fields[name] = "" }
        try add(request, to: &fields, at: names.compactMap { fields.index(forKey: $0) })
        return fields
    }

    private func add(
        _ type: MIMEType?, as name: Headers, to fields: inout [String: String]
    ) throws(FieldError) {
        try add([(name, type?.rawValue)], to: &fields)
    }

    /// Adds the headers that are read from a request, at the places of their names, which needs no
    /// hashing. A `nil` value removes the header instead.
    private func add(
        _ request: BorrowedValues, to fields: inout [String: String],
        at places: [Dictionary<String, String>.Index]
    ) throws(FieldError) {
        var leftOut: [String] = []
        for index in names.indices {
            if let text = try text(index, request) {
                fields.values[places[index]] = try Headers.checked(text, of: names[index])
            } else {
                leftOut.append(names[index])
            }
        }
        for name in leftOut { fields[name] = nil }
        for source in contents { try add(headers(source, request), to: &fields) }
    }

    private func headers(
        _ source: ValueSource, _ request: BorrowedValues
    ) throws(FieldError) -> [HeaderText] {
        do { return try source.headers(in: request) } catch {
            let field = EndpointError.Field.property(source.propertyName ?? "contentsOf:")
            throw error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error)
        }
    }

    @inline(__always)
    private func text(_ index: Int, _ request: BorrowedValues) throws(FieldError) -> String? {
        do { return try values.texts(index, in: request).text } catch {
            throw FieldError(.header(names[index]), unrepresentableBecauseOf: error)
        }
    }

    /// Adds headers whose names are known only at run time. Each replaces a header of the same name
    /// that was added before; a `nil` text removes that header.
    private func add(
        _ texts: [HeaderText], to fields: inout [String: String]
    ) throws(FieldError) {
        for (name, text) in texts {
            let spelling = spellings[name] ?? fields.spelling(of: name)
            guard let text else {
                fields[spelling] = nil
                continue
            }
            fields[spelling] = try name.checked(text)
        }
    }
}

extension [String: String] {
    /// A header's name as this dictionary spells it. If the header isn't there, the given name.
    fileprivate func spelling(of name: Headers) -> String {
        if self[name.name] != nil { return name.name }
        return keys.first { Headers(name: $0) == name } ?? name.name
    }
}

extension HeaderPlan {
    /// The problem of a constant Content-Type for a multipart body. With declared parts, whose
    /// boundary is random, any constant is one; with a ``Multipart``, only a constant without a
    /// boundary. Whether the boundary is right is checked for each request.
    func multipartProblems(hasParts: Bool, isMultipart: Bool) -> [Problem] {
        guard hasParts || isMultipart else { return [] }
        return constants.compactMap { name, text in
            guard Headers(name: name) == .contentType, hasParts || text?.multipartBoundary == nil
            else { return nil }
            return .error(FieldError(.header(name), Self.noBoundary))
        }
    }

    func checkBoundary(of upload: Upload, _ fields: [String: String]) throws(FieldError) {
        guard let boundary = upload.form?.boundary else { return }
        let name = fields.spelling(of: .contentType)
        guard fields[name]?.multipartBoundary != boundary else { return }
        throw FieldError(.header(name), Self.noBoundary)
    }

    private static let noBoundary =
        "doesn't name the boundary of the multipart body, so servers can't find its parts; "
        + "remove this header, and the library sets it"
}

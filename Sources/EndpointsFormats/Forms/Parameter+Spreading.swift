import Endpoints

extension Parameter {
    /// Query items for the properties of an `Encodable` value, each under its own name.
    ///
    ///     // struct Filter: Encodable { let state: String?, labels: [String], since: Date? }
    ///     .query(spreading: \.filter)   // ->  ?state=open&labels=bug&labels=ui
    ///
    /// Names, dates and other values are written as by the encoder, lists by its
    /// ``FormEncoder/arrayEncodingStrategy``: by default an item for each element. A property that
    /// is `nil` or an empty list is left out, and so are all if the value itself is `nil`.
    ///
    /// A value that isn't a struct or a dictionary, and a property that has properties of its own,
    /// ends in an ``EndpointError``: servers disagree about how these are written.
    public static func query<Value: Encodable & SendableMetatype>(
        spreading path: KeyPath<Root, Value> & Sendable,
        by encoder: FormEncoder = FormEncoder(arrayEncodingStrategy: .repeated)
    ) -> Parameter {
        .spread(path, overForm: false, .members(by: encoder))
    }

    /// Form fields for the properties of an `Encodable` value, each under its own name.
    ///
    ///     .form(spreading: \.filter)   // ->  state=open&labels=bug&labels=ui, in the body
    ///
    /// They are written as by ``query(spreading:by:)``.
    public static func form<Value: Encodable & SendableMetatype>(
        spreading path: KeyPath<Root, Value> & Sendable,
        by encoder: FormEncoder = FormEncoder(arrayEncodingStrategy: .repeated)
    ) -> Parameter {
        .spread(path, overForm: true, .members(by: encoder))
    }
}

extension ParameterEncoding {
    /// The members of an object; the key of each text is its whole name.
    fileprivate static func members(by encoder: FormEncoder) -> ParameterEncoding {
        ParameterEncoding(nil) { value in
            let node = try encoder.node(of: value)
            guard node.isObject else {
                throw UnrepresentableValue(
                    """
                    its value has no names; spread a struct, or a dictionary with String keys, or \
                    write .query(name, path:)
                    """)
            }
            if let name = node.nestedMember {
                throw UnrepresentableValue(
                    """
                    its \(name.quoted) has values of its own; make that a property of the request, \
                    and write .query(name, path:, encoding:) for it
                    """)
            }
            return .keyed(
                node.fields(encoder.arrayEncodingStrategy).map { keys, text in
                    ([keys.prefix(1).joined() + keys.dropFirst().inBrackets], text)
                })
        }
    }
}

extension FormNode {
    /// The name of the first member of an object that isn't a text or a list of texts.
    fileprivate var nestedMember: String? {
        guard case .object(let object) = content else { return nil }
        return object.members.first { !$0.node.isFlat }?.key
    }

    private var isFlat: Bool {
        switch content {
        case .nothing, .text: true
        case .object: isEmpty
        case .list(let list): list.nodes.allSatisfy { $0.isEmpty || $0.isText }
        }
    }
}

import Endpoints

extension ParameterEncoding {
    /// Nested values in brackets, as ``FormEncoder`` writes them.
    ///
    ///     .query("filter", path: \.filter, encoding: .brackets)
    ///     // Filter(open: true)  ->  ?filter[open]=true, with the brackets escaped
    ///
    /// A list of strings or numbers is `name[]=a&name[]=b`. A string or a number that isn't in a
    /// list is `name=a`.
    public static let brackets = brackets(by: FormEncoder())

    /// Nested values in brackets, as an encoder with your strategies writes them.
    ///
    ///     .query(
    ///         "filter", path: \.filter,
    ///         encoding: .brackets(by: FormEncoder(boolEncodingStrategy: .numeric)))
    ///     // Filter(open: true)  ->  ?filter[open]=1, with the brackets escaped
    public static func brackets(by encoder: FormEncoder) -> ParameterEncoding {
        ParameterEncoding(nil) { value in
            .keyed(try encoder.node(of: value).fields(encoder.arrayEncodingStrategy))
        }
    }
}

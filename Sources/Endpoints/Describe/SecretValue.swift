/// A value that belongs in a header and nowhere else: ``Credentials``, and optionals, arrays and
/// dictionaries of them.
///
/// It is refused in a URL and in a form. A header that holds one isn't sent to another origin.
protocol SecretValue {}

extension Credentials: SecretValue {}
extension Optional: SecretValue where Wrapped: SecretValue {}
extension Array: SecretValue where Element: SecretValue {}
extension Dictionary: SecretValue where Value: SecretValue {}

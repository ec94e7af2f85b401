/// A value that may be sent in a header only: ``Credentials``, and optionals, arrays and
/// dictionaries of them.
///
/// It is an error in a URL or a form. A header with such a value isn't sent to another origin.
protocol SecretValue {}

extension Credentials: SecretValue {}
extension Optional: SecretValue where Wrapped: SecretValue {}
extension Array: SecretValue where Element: SecretValue {}
extension Dictionary: SecretValue where Value: SecretValue {}

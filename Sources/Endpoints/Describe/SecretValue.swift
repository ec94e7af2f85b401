/// A value that may be sent in a header only: ``Credentials``, and optionals, arrays and
/// dictionaries of them.
///
/// Such a value is an error in a URL or a form. A redirect to another origin removes its header.
protocol SecretValue {}

extension Credentials: SecretValue {}
extension Optional: SecretValue where Wrapped: SecretValue {}
extension Array: SecretValue where Element: SecretValue {}
extension Dictionary: SecretValue where Value: SecretValue {}

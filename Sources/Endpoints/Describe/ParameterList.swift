/// The parameters of an endpoint, in the order in which they are sent.
public struct ParameterList<Root>: Sendable, ExpressibleByArrayLiteral {
    let parameters: [Parameter<Root>]

    /// A list of parameters.
    public init(arrayLiteral parameters: Parameter<Root>...) {
        self.parameters = parameters
    }

    /// A list of parameters.
    public init(_ parameters: [Parameter<Root>]) {
        self.parameters = parameters
    }
}

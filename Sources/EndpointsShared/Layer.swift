import Endpoints

/// A transport around another one, which shows what is inside of it. A transport of a user isn't
/// one, so what it is around can't be found.
package protocol Layer: Transport, CustomReflectable {
    /// The transport that this one sends its requests with.
    var inner: any Transport { get }
}

/// A layer that sends each request as it gets it, at once and only once, such as a log.
package protocol Observing: Layer {}

extension Layer {
    /// No children, because `dump(_:)` would print tokens, requests and responses.
    public var customMirror: Mirror { .hidden(self) }
}

extension Transport {
    /// This transport and those inside of it, from the outermost one. The last one is the first
    /// that isn't a ``Layer``.
    package var layers: [any Transport] {
        var layers: [any Transport] = [self]
        while let layer = layers.last as? any Layer { layers.append(layer.inner) }
        return layers
    }
}

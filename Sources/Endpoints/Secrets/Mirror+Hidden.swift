extension Mirror {
    /// A mirror without children, so that `dump(_:)` shows no more of a value than its description.
    package static func hidden(_ value: Any) -> Mirror { Mirror(value, children: [:]) }
}

extension Masking: CustomReflectable {
    package var customMirror: Mirror { .hidden(self) }
}

extension KnownSecrets: CustomReflectable {
    package var customMirror: Mirror { .hidden(self) }
}

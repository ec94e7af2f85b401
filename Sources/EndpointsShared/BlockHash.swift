/// What a hash of whole blocks keeps between them, such as the words of SHA-256.
package protocol BlockHashState: Sendable {
    /// The bytes of a block. Its last eighth has the length at the end of the message.
    static var blockSize: Int { get }

    init()

    /// Mixes whole blocks into the state.
    mutating func mix(_ blocks: UnsafeRawBufferPointer)

    /// The digest.
    var bytes: [UInt8] { get }
}

/// A hash (FIPS 180-4) of bytes that arrive in parts of any length.
package struct BlockHash<State: BlockHashState>: Sendable {
    private var state = State()
    /// The beginning of a block that isn't complete yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        let size = State.blockSize
        var bytes = bytes[...]
        if !rest.isEmpty {
            let part = bytes.prefix(size - rest.count)
            rest.append(contentsOf: part)
            bytes = bytes.dropFirst(part.count)
            guard rest.count == size else { return }
            rest.withUnsafeBytes { state.mix($0) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count / size * size
        state.mix(UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)))
        rest.append(contentsOf: bytes.dropFirst(whole))
    }

    /// The digest of what has been added until now.
    package func finalized() -> [UInt8] {
        var state = state
        let size = State.blockSize
        var end = rest + [0x80]
        // A `UInt64` fills the last 8 bytes of the length, which has an eighth of a block.
        let used = (end.count + size / 8) % size
        end.append(contentsOf: repeatElement(0, count: size / 8 - 8 + (size - used) % size))
        for shift in stride(from: 56, through: 0, by: -8) {
            end.append(UInt8(truncatingIfNeeded: (count &* 8) >> UInt64(shift)))
        }
        end.withUnsafeBytes { state.mix($0) }
        return state.bytes
    }
}

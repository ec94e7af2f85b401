import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of a response: whole in memory, or in chunks that are read once, as they arrive.
///
///     let urlRequest = try GetUser(id: 42).urlRequest(in: .production)
///     var request = TransportRequest(urlRequest, requestType: GetUser.self)
///     request.streamsResponse = true   // or else the whole body is one chunk
///     for try await chunk in try await session.send(request).body {
///         print(chunk.count)   // 1 or more
///     }
///
/// Leaving the loop releases the iterator. With a `URLSession`, this cancels a load that hasn't
/// ended.
public struct ResponseBody: Sendable {
    private enum Storage: Sendable {
        case whole(Data)
        case chunks(Locked<Source?>)
    }

    /// Returns the next chunk, or `nil` after the last one.
    typealias Source = @Sendable () async throws -> Data?

    private let storage: Storage

    /// A body that is in memory.
    public init(_ data: Data) {
        storage = .whole(data)
    }

    /// A body that is read in chunks.
    ///
    /// - Parameter next: Returns the next chunk, or `nil` after the last one. One task at a time
    ///   calls this function. The function is released when nobody reads the body any more, so the
    ///   `deinit` of an object that it captures can cancel the load.
    public init(chunks next: @escaping @Sendable () async throws -> Data?) {
        storage = .chunks(Locked(next))
    }

    /// The bytes of a body that is in memory; `nil` for any other body.
    package var whole: Data? {
        if case .whole(let data) = storage { data } else { nil }
    }

    /// How many bytes the body has; `nil` if it isn't in memory.
    public var count: Int? {
        if case .whole(let data) = storage { data.count } else { nil }
    }

    /// The whole body, once it has arrived.
    ///
    /// - Parameter limit: The most bytes that are read.
    /// - Throws: `URLError.dataLengthExceedsMaximum` for a longer body; an ``EndpointError`` for a
    ///   body that isn't in memory and was read before; and the error of the load.
    public func data(upTo limit: Int) async throws -> Data {
        if case .whole(let data) = storage {
            guard data.count <= limit else { throw URLError.isLonger(than: limit) }
            return data
        }
        var data = Data()
        for try await chunk in self {
            guard data.count + chunk.count <= limit else { throw URLError.isLonger(than: limit) }
            // Most bodies are one chunk, which isn't copied.
            if data.isEmpty, chunk.startIndex == 0 { data = chunk } else { data.append(chunk) }
        }
        return data
    }
}

extension ResponseBody {
    /// The same body, which can be read only once, even if it is in memory: a stream is read so,
    /// whatever transport it comes from.
    var readOnce: ResponseBody {
        guard case .whole(let data) = storage else { return self }
        let rest = Locked<Data?>(data)
        return ResponseBody { rest.take() }
    }

    /// The beginning of a body that can't be used, for the text of an error: 512 bytes or more,
    /// unless the body is shorter, can't be read, or takes longer than a second.
    package func beginning() async -> Data {
        let data = Locked(Data())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var chunks = makeAsyncIterator()
                while data.withLock(\.count) < 512, let chunk = try? await chunks.next() {
                    data.withLock { $0.append(chunk) }
                }
            }
            group.addTask { try? await Task.sleep(nanoseconds: 1_000_000_000) }
            await group.next()
            group.cancelAll()
        }
        return data.withLock { $0 }
    }
}

extension ResponseBody: AsyncSequence {
    /// An iterator over the chunks. Its copies share them: each chunk is given to one of them.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        package fileprivate(set) var next: (@Sendable () async throws -> Data?)?

        /// The next chunk, which is never empty; `nil` after the last one.
        public mutating func next() async throws -> Data? {
            try await next(isolation: nil)
        }

        /// Like `next()`, but runs on the caller's actor.
        public nonisolated(nonsending) mutating func next(
            isolation actor: (any Actor)?
        ) async throws -> Data? {
            while let chunk = try await next?() {
                if !chunk.isEmpty { return chunk }
            }
            next = nil
            return nil
        }
    }

    /// An iterator over the chunks. If the body is in memory, each iterator gets it as one chunk.
    /// Otherwise only the first iterator gets any chunks. Any other throws an ``EndpointError``.
    public func makeAsyncIterator() -> AsyncIterator {
        switch storage {
        case .whole(let data):
            let rest = Locked<Data?>(data)
            return AsyncIterator(next: { rest.take() })
        case .chunks(let source):
            return AsyncIterator(next: source.take() ?? { throw EndpointError.bodyWasRead })
        }
    }
}

extension EndpointError {
    fileprivate static var bodyWasRead: EndpointError {
        EndpointError(
            requestType: "ResponseBody", field: .response,
            reason: "has been read before, and can be read only once while it arrives; "
                + "load it again, or keep what you read")
    }
}

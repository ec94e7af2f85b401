import Foundation

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
    package typealias Source = @Sendable () async throws -> Data?

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
            guard data.count <= limit else { throw URLError(.dataLengthExceedsMaximum) }
            return data
        }
        var data = Data()
        for try await chunk in self {
            guard data.count + chunk.count <= limit
            else { throw URLError(.dataLengthExceedsMaximum) }
            data.append(chunk)
        }
        return data
    }
}

extension ResponseBody: AsyncSequence {
    /// An iterator over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        package fileprivate(set) var next: Source?

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

extension Locked {
    package func take<Wrapped: Sendable>() -> Wrapped? where Value == Wrapped? {
        withLock { $0.take() }
    }
}

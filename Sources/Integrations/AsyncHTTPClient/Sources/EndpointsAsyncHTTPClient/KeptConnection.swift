import AsyncHTTPClient
import Endpoints
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A connection ended before it brought the head of a response.
struct LostConnection: Error {
    /// Whether the connection had served an earlier request. The server has then mostly closed it
    /// while it was idle, and has not seen this request (RFC 9112, section 9.3.1).
    let wasKept: Bool
}

/// Tells for each request of an HTTP/1.1 connection whether it was lost on a kept connection, and
/// reads little at once of a response that may be compressed.
///
/// AsyncHTTPClient reports such a loss as that of a new connection, and doesn't send the request
/// again (1.37). It unpacks a whole read before the reader of the body sees any of it, and gzip can
/// make a thousand bytes of one.
private final class ConnectionWatcher: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private var requests = 0
    private var tlsVersion: TLSVersion?
    /// Whether a request was sent, and the head of its response is missing.
    private var isWaiting = false
    private var reads = Reads(atMost: Reads.few)
    /// Whether a head of this response, perhaps a 103, has a `Content-Encoding`. AsyncHTTPClient
    /// then unpacks the body, even if the last head has none.
    private var isPacked = false

    func handlerAdded(context: ChannelHandlerContext) {
        tlsVersion = try? context.pipeline.syncOperations.nioSSL_tlsVersion()
        read(atMost: Reads.few, context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            requests += 1
            isWaiting = true
            isPacked = false
            if reads.most > Reads.few { read(atMost: Reads.few, context) }
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            isPacked = isPacked || head.headers.contains(name: "content-encoding")
            if head.status.code >= 200 {
                isWaiting = false
                let length = head.headers.first(name: "content-length").flatMap { Int($0) }
                if !isPacked, length ?? .max > Reads.few { read(atMost: Reads.many, context) }
                let connection = KnownConnection(isReused: requests > 1, tlsVersion: tlsVersion)
                let head = head.with(connection)
                return context.fireChannelRead(wrapInboundOut(.head(head)))
            }
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard isWaiting, error.isLossOfConnection else { return context.fireErrorCaught(error) }
        lose(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isWaiting { lose(context) }
        context.fireChannelInactive()
    }

    private func read(atMost most: Int, _ context: ChannelHandlerContext) {
        reads = Reads(atMost: most)
        do {
            let options = context.channel.syncOptions
            try options?.setOption(ChannelOptions.recvAllocator, value: reads)
            try options?.setOption(
                ChannelOptions.maxMessagesPerRead, value: most == Reads.few ? 1 : 4)
        } catch { context.fireErrorCaught(error) }
    }

    private func lose(_ context: ChannelHandlerContext) {
        isWaiting = false
        context.fireErrorCaught(LostConnection(wasKept: requests > 1))
    }
}

/// How much is read at once: as much as has come lately, and never more than a limit. With the
/// small limit each read has a buffer of its own, as NIO would use a large one again (2.101).
private struct Reads: RecvByteBufferAllocator {
    static let few = 16 << 10, many = 64 << 10
    let most: Int
    private var sizes: AdaptiveRecvByteBufferAllocator

    init(atMost most: Int) {
        self.most = most
        sizes = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: most)
    }

    mutating func record(actualReadBytes: Int) -> Bool {
        _ = sizes.record(actualReadBytes: actualReadBytes)
        return true  // Or else NIO uses the last buffer again.
    }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { sizes.buffer(allocator: allocator) }

    func nextBufferSize() -> Int? { most == Self.few ? nil : sizes.nextBufferSize() }
}

extension Error {
    fileprivate var isLossOfConnection: Bool {
        if case .uncleanShutdown? = self as? NIOSSLError { return true }
        return self is IOError || self is ChannelError
    }
}

extension HTTPClient.Configuration {
    /// This configuration, with watched HTTP/1.1 connections.
    var watchingConnections: Self {
        var configuration = self
        let next = http1_1ConnectionDebugInitializer
        configuration.http1_1ConnectionDebugInitializer = { channel in
            let isWatched = channel.eventLoop.submit {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(
                    type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(ConnectionWatcher(), position: .after(decoder))
            }
            guard let next else { return isWatched }
            return isWatched.flatMap { next(channel) }
        }
        return configuration.watchingStreams
    }
}

/// How often one request may be sent again because its connection was lost.
struct Resends {
    private let isAllowed: Bool
    /// There are no more kept connections to a host than this, and each loss is that of one.
    private var kept = 100
    /// How often the request may find a connection that ends before the server has seen it. The
    /// next one may do so too: AsyncHTTPClient keeps 8 to a host, unless it is told otherwise.
    private var unseen = 8

    init(of request: TransportRequest) {
        let urlRequest = request.urlRequest
        isAllowed =
            switch request.policy.repetition {
            case .always: true
            case .never: false
            case .ifIdempotent:
                Endpoints.HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET").isIdempotent
                    || urlRequest.value(forHTTPHeaderField: Headers.idempotencyKey.name) != nil
            }
    }

    /// Whether the request may be sent again after this error, as the policy's
    /// ``LoadPolicy/repetition`` allows.
    mutating func allow(after error: any Error) -> Bool {
        guard isAllowed else { return false }
        switch error {
        case let error as LostConnection:
            kept -= 1
            return error.wasKept && kept >= 0
        // AsyncHTTPClient took a kept connection in the moment in which it was closed, and has sent
        // nothing, or a connection of HTTP/2 has ended.
        case let error as HTTPClientError where error == .remoteConnectionClosed: break
        case is ChannelError: break
        case let error as IOError where [EPIPE, ECONNRESET].contains(error.errnoCode): break
        // A GOAWAY of HTTP/2: the server hasn't seen the request (RFC 9113, section 6.8).
        case let error as NIOHTTP2Errors.StreamClosed
        where [.cancel, .refusedStream].contains(error.errorCode):
            break
        default: return false
        }
        unseen -= 1
        return unseen >= 0
    }
}

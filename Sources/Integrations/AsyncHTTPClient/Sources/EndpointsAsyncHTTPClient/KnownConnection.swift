import AsyncHTTPClient
import Endpoints
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// What the handlers of a connection know of it. AsyncHTTPClient's response doesn't tell it (1.37),
/// so it comes as a header, which isn't passed on, and which no server can send.
struct KnownConnection {
    static let header = "Endpoints-Connection"

    let isReused: Bool
    let tlsVersion: TLSVersion?

    fileprivate var text: String {
        let version =
            switch tlsVersion {
            case .tlsv1: "TLS 1.0"
            case .tlsv11: "TLS 1.1"
            case .tlsv12: "TLS 1.2"
            case .tlsv13: "TLS 1.3"
            case nil: ""
            }
        return (isReused ? "kept," : "new,") + version
    }
}

extension HTTPResponseHead {
    func with(_ connection: KnownConnection) -> HTTPResponseHead {
        var head = self
        head.headers.replaceOrAdd(name: KnownConnection.header, value: connection.text)
        return head
    }
}

extension TransportConnection {
    init(of response: HTTPClientResponse) {
        self.init()
        networkProtocol = response.version.major == 2 ? "h2" : "http/\(response.version.text)"
        guard let text = response.headers.first(name: KnownConnection.header) else { return }
        let parts = text.split(separator: ",")
        isReused = parts.first == "kept"
        tlsVersion = parts.count > 1 ? String(parts[1]) : nil
    }
}

extension HTTPVersion {
    fileprivate var text: String { "\(major).\(minor)" }
}

/// Tells for each request of an HTTP/2 connection what is known of the connection.
private final class StreamWatcher: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), head.status.code >= 200,
            let connection = context.channel.parent
        else { return context.fireChannelRead(data) }
        // A client's first stream has the number 1 (RFC 9113, section 5.1.1).
        let id = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        let known = KnownConnection(
            isReused: id != 1,
            tlsVersion: try? connection.pipeline.syncOperations.nioSSL_tlsVersion())
        context.fireChannelRead(wrapInboundOut(.head(head.with(known))))
    }
}

extension HTTPClient.Configuration {
    /// This configuration, with watched streams of HTTP/2 connections.
    var watchingStreams: Self {
        var configuration = self
        let next = http2StreamChannelDebugInitializer
        configuration.http2StreamChannelDebugInitializer = { channel in
            let isWatched = channel.eventLoop.submit {
                let pipeline = channel.pipeline.syncOperations
                let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                try pipeline.addHandler(StreamWatcher(), position: .after(codec))
            }
            guard let next else { return isWatched }
            return isWatched.flatMap { next(channel) }
        }
        return configuration
    }
}

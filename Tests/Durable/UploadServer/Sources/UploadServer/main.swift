// Keeps each file that is sent to it in a folder, under the last component of the request's path.
// Prints the port at which it listens.

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload

/// Writes one file, whose bytes may come by several connections.
final class FileWriter: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let folder: URL
    private var file: FileHandle?
    private var (part, whole): (URL?, URL?)

    init(_ folder: URL) { self.folder = folder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            switch unwrapInboundIn(data) {
            case .head(let request):
                let name = request.path?.split(separator: "/").last.map(String.init) ?? "none"
                let part = folder.appendingPathComponent(".part-\(UUID())")
                guard FileManager.default.createFile(atPath: part.path, contents: nil)
                else { return respond(.internalServerError, context) }
                file = try FileHandle(forWritingTo: part)
                (self.part, whole) = (part, folder.appendingPathComponent(name))
            case .body(let body):
                try body.withUnsafeReadableBytes { try file?.write(contentsOf: $0) }
            case .end:
                try file?.close()
                guard let part, let whole, rename(part.path, whole.path) == 0
                else { return respond(.internalServerError, context) }
                respond(.created, context)
            }
        } catch { respond(.internalServerError, context) }
    }

    private func respond(_ status: HTTPResponse.Status, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(HTTPResponse(status: status))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

guard CommandLine.arguments.count == 2 else {
    print("UploadServer folder")
    exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
// A `Location` without an origin leads to where the client has sent the request: to a proxy.
let uploads = HTTPResumableUploadContext(origin: "")
let server = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline()
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(
                HTTPResumableUploadHandler(context: uploads, handlers: [FileWriter(folder)]))
        }
    }
    .bind(host: "127.0.0.1", port: 0).wait()
FileHandle.standardOutput.write(Data("\(server.localAddress?.port ?? 0)\n".utf8))
try server.closeFuture.wait()

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression
import NIOPosix
import NIOSSL

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Error {
    /// The error that `URLSession` would throw, with this one as its cause; this one if there is
    /// none.
    func mapped(at url: URL?) -> any Error {
        if self as? HTTPClientError == .cancelled { return CancellationError() }
        guard let code else { return self }
        var userInfo: [String: any Sendable] = [NSUnderlyingErrorKey: "\(self)"]
        userInfo[NSURLErrorFailingURLErrorKey] = url
        return URLError(code, userInfo: userInfo)
    }

    private var code: URLError.Code? {
        switch self {
        case let error as HTTPClientError: error.urlErrorCode
        case let error as NIOConnectionError:
            error.connectionErrors.isEmpty ? .cannotFindHost : .cannotConnectToHost
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            certificateCode ?? .secureConnectionFailed
        case let error as HTTPParserError:
            error == .invalidEOFState ? .networkConnectionLost : .cannotParseResponse
        case is NIOHTTPDecompression.DecompressionError,
            is NIOHTTPDecompression.ExtraDecompressionError:
            .cannotDecodeContentData
        case let error as IOError where error.errnoCode == ECONNREFUSED: .cannotConnectToHost
        case is LostConnection, is IOError, is ChannelError, is any NIOHTTP2Error:
            .networkConnectionLost
        default: nil
        }
    }

    /// The code if this client refuses the server's certificate, or the server requires one of the
    /// client. BoringSSL doesn't say whether a certificate is too old.
    private var certificateCode: URLError.Code? {
        let text = "\(self)"
        if text.contains("CERTIFICATE_REQUIRED") { return .clientCertificateRequired }
        let isRefused =
            text.contains("CERTIFICATE_VERIFY_FAILED")
            || self as? NIOSSLExtraError == .failedToValidateHostname
        return isRefused ? .serverCertificateUntrusted : nil
    }

    /// Whether a body couldn't be unpacked.
    var isDecompressionError: Bool {
        self is NIOHTTPDecompression.DecompressionError
            || self is NIOHTTPDecompression.ExtraDecompressionError
    }
}

extension HTTPClientError {
    fileprivate var urlErrorCode: URLError.Code? {
        switch self {
        case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            .timedOut
        case .remoteConnectionClosed, .uncleanShutdown: .networkConnectionLost
        case .invalidURL, .emptyHost: .badURL
        default: nil
        }
    }
}

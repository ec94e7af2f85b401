#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    @testable import Endpoints

    @Suite("Errors that URLSession on Linux reports by another code")
    struct CorrectedErrorTests {
        static let rows: [(code: URLError.Code, text: String, corrected: URLError.Code)] = [
            (.unknown, "Send failure: Broken pipe", .networkConnectionLost),
            (.unknown, "Recv failure: Connection reset by peer", .networkConnectionLost),
            (.badServerResponse, "Recv failure: Connection reset by peer", .networkConnectionLost),
            (.badServerResponse, "Empty reply from server", .networkConnectionLost),
            (.badServerResponse, "", .badServerResponse),
            (.unknown, "transfer closed with 500 bytes remaining to read", .networkConnectionLost),
            (
                .unknown, "HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)",
                .networkConnectionLost
            ),
            (
                .unknown, "Connection died, tried 5 times before giving up",
                .networkConnectionLost
            ),
            (
                .unknown,
                "getpeername() failed with errno 107: Transport endpoint is not connected",
                .networkConnectionLost
            ),
            (
                .unknown,
                "Failed to connect to 127.0.0.1 port 80 after 1 ms: Couldn't connect to server",
                .cannotConnectToHost
            ),
            (
                .cannotConnectToHost, "Recv failure: Connection reset by peer",
                .networkConnectionLost
            ),
            (
                .cannotConnectToHost,
                "Failed to connect to h port 80 after 1 ms: Couldn't connect to server",
                .cannotConnectToHost
            ),
            (.unknown, "Could not connect to server", .cannotConnectToHost),
            (
                .unknown, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to 127.0.0.1:80 ",
                .networkConnectionLost
            ),
            (.unknown, "OpenSSL SSL_write: Broken pipe, errno 32", .networkConnectionLost),
            (
                .unknown,
                "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000126:SSL routines::unexpected eof "
                    + "while reading, errno 0",
                .networkConnectionLost
            ),
            (
                .unknown, "TLS connect error: error:0A00010B:SSL routines::wrong version number",
                .secureConnectionFailed
            ),
            (.unknown, "Failed sending data to the peer", .networkConnectionLost),
            (.unknown, "Failure when receiving data from the peer", .networkConnectionLost),
            (.unknown, "necessary data rewind wasn't possible", .networkConnectionLost),
            (
                .unknown, "Send failed since rewinding of the data stream failed",
                .networkConnectionLost
            ),
            (.unknown, "Error in the HTTP2 framing layer", .networkConnectionLost),
            (
                .unknown,
                "HTTP/2 stream 1 was closed cleanly, but before getting  all response header fields, "
                    + "treated as error",
                .networkConnectionLost
            ),
            (.unknown, "Header without colon", .cannotParseResponse),
            (.unknown, "Nul byte in header", .cannotParseResponse),
            (.unknown, "Invalid Content-Length: value", .cannotParseResponse),
            (.unknown, "Malformed encoding found in chunked-encoding", .cannotParseResponse),
            (.unknown, "invalid chunk size: 'xyz'", .cannotParseResponse),
            (.unknown, "Too large response headers: 307517 > 307200", .cannotParseResponse),
            (.unknown, "Failed writing header", .cannotParseResponse),
            (.unknown, "Out of memory", .unknown),
            (
                .unknown, "Error while processing content unencoding: invalid block type",
                .cannotDecodeRawData
            ),
            (
                .unknown, "Failed writing received data to disk/application", .unknown
            ),
            (
                .unknown, "Unrecognized content encoding type. libcurl understands deflate, gzip",
                .cannotDecodeContentData
            ),
            (
                .unknown, "SSL certificate problem: certificate has expired",
                .serverCertificateHasBadDate
            ),
            (
                .unknown, "SSL certificate problem: certificate is not yet valid",
                .serverCertificateNotYetValid
            ),
            (
                .unknown, "SSL certificate problem: unable to get local issuer certificate",
                .serverCertificateUntrusted
            ),
            (
                .unknown,
                "SSL: no alternative certificate subject name matches target host name '127.0.0.1'",
                .serverCertificateUntrusted
            ),
            (
                .unknown, "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
                .secureConnectionFailed
            ),
            (
                .unknown,
                "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert "
                    + "certificate required, errno 0",
                .clientCertificateRequired
            ),
            (.unknown, "", .unknown),
            (.timedOut, "Send failure: Broken pipe", .timedOut),
            (.unsupportedURL, "Received HTTP/0.9 when not allowed", .cannotParseResponse),
        ]

        @Test(
            "What is wrong with a connection, a certificate or a response has a code of its own",
            arguments: rows)
        func corrected(row: (code: URLError.Code, text: String, corrected: URLError.Code)) {
            let error = URLError(row.code, userInfo: [NSLocalizedDescriptionKey: row.text])
            let corrected = error.corrected(at: URL(string: "https://h/a"), isCoded: false)
            #expect(corrected.code == row.corrected)
            #expect(corrected.userInfo[NSLocalizedDescriptionKey] as? String == row.text)
        }

        @Test("The URL of another scheme stays unsupported")
        func otherScheme() {
            let error = URLError(.unsupportedURL)
            #expect(
                error.corrected(at: URL(string: "ftp://h/a"), isCoded: false).code
                    == .unsupportedURL)
        }
    }
#endif

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
            (.unknown, "Header without colon", .unknown),
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
            let corrected = error.corrected(at: URL(string: "https://h/a"))
            #expect(corrected.code == row.corrected)
            #expect(corrected.userInfo[NSLocalizedDescriptionKey] as? String == row.text)
        }

        @Test("The URL of another scheme stays unsupported")
        func otherScheme() {
            let error = URLError(.unsupportedURL)
            #expect(error.corrected(at: URL(string: "ftp://h/a")).code == .unsupportedURL)
        }
    }
#endif

import Foundation

extension URLError.Code {
    /// The codes that mean that this device has no connection.
    static let offline: Set<URLError.Code> = [
        .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
    ]

    /// A `URLError`'s own description isn't used, because it may show the URL with its user info
    /// and query.
    var reason: String {
        Self.reasons[self].map { "\($0) (URLError \(rawValue))" } ?? "URLError \(rawValue)"
    }

    private static let reasons: [URLError.Code: String] = [
        .appTransportSecurityRequiresSecureConnection:
            "the URL, or that of a redirect, is http; use https, or, for a redirect, set "
            + "allowsInsecureRedirects in LoadPolicy",
        .badServerResponse: "the server's response is not an HTTP response",
        .badURL: "the URL is malformed",
        .callIsActive: "a phone call is active",
        .cannotConnectToHost: "no connection to the host could be made",
        .cannotDecodeContentData: "the content can't be decompressed",
        .cannotDecodeRawData: "the content can't be decompressed",
        .cannotFindHost: "the host can't be found",
        .cannotParseResponse: "the server's response is not valid HTTP",
        .clientCertificateRejected: "the server rejects the client's certificate",
        .clientCertificateRequired: "the server requires a client certificate",
        .dataLengthExceedsMaximum:
            "the response's body exceeds bodyLimit, or its unread bytes exceed unreadLimit; "
            + "set a higher limit in LoadPolicy",
        .dataNotAllowed: "cellular data is not allowed",
        .dnsLookupFailed: "the host's name could not be looked up",
        .httpTooManyRedirects:
            "there are too many redirects; set a higher redirectLimit in LoadPolicy, unless the "
            + "server redirects in a circle",
        .internationalRoamingOff: "roaming is off",
        .networkConnectionLost: "the connection was lost",
        .notConnectedToInternet: "there is no connection to the internet",
        .redirectToNonExistentLocation:
            "the server redirects to a URL that isn't valid or has user info",
        .requestBodyStreamExhausted:
            "the body stream can't be sent a second time; use Data or a File",
        .resourceUnavailable: "the resource is not available",
        .secureConnectionFailed: "no secure connection could be made",
        .serverCertificateHasBadDate: "the server's certificate has expired, or is not valid yet",
        .serverCertificateHasUnknownRoot: "the server's certificate has an unknown root",
        .serverCertificateNotYetValid: "the server's certificate is not valid yet",
        .serverCertificateUntrusted: "the server's certificate is not trusted",
        .timedOut: "it took too long",
        .unknown: "the system reports no cause",
        .unsupportedURL:
            "the URL of the request or of a redirect must be http or https, with a host and valid port",
        .userAuthenticationRequired: "the server requires credentials",
        .zeroByteResource: "the server sent nothing",
    ]
}

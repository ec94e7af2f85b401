import Foundation

extension URLError.Code {
    /// The codes that mean that this device has no connection.
    static var offline: [URLError.Code] {
        [.notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive]
    }

    /// A `URLError`'s own description isn't used, because it may show the URL with its user info
    /// and query.
    var reason: String {
        text.map { "\($0) (URLError \(rawValue))" } ?? "URLError \(rawValue)"
    }

    private var text: String? {
        switch self {
        case .appTransportSecurityRequiresSecureConnection:
            "the URL, or that of a redirect, is http; use https, or, for a redirect, set "
                + "allowsInsecureRedirects in LoadPolicy"
        case .badServerResponse:
            "the server's response is not an HTTP response"
        case .badURL:
            "the URL is malformed"
        case .callIsActive:
            "a phone call is active"
        case .cannotConnectToHost:
            "no connection to the host could be made"
        case .cannotDecodeContentData:
            "the content can't be decompressed"
        case .cannotDecodeRawData:
            "the content can't be decompressed"
        case .cannotFindHost:
            "the host can't be found"
        case .cannotParseResponse:
            "the server's response is not valid HTTP"
        case .clientCertificateRejected:
            "the server rejects the client's certificate"
        case .clientCertificateRequired:
            "the server requires a client certificate"
        case .dataLengthExceedsMaximum:
            "the response's body exceeds bodyLimit, or its unread bytes exceed unreadLimit; "
                + "set a higher limit in LoadPolicy"
        case .dataNotAllowed:
            "cellular data is not allowed"
        case .dnsLookupFailed:
            "the host's name could not be looked up"
        case .httpTooManyRedirects:
            "there are too many redirects; set a higher redirectLimit in LoadPolicy, unless the "
                + "server redirects in a circle"
        case .internationalRoamingOff:
            "roaming is off"
        case .networkConnectionLost:
            "the connection was lost"
        case .notConnectedToInternet:
            "there is no connection to the internet"
        case .redirectToNonExistentLocation:
            "the server redirects to a URL that isn't valid or has user info"
        case .requestBodyStreamExhausted:
            "the body stream can't be sent a second time; use Data or a File"
        case .resourceUnavailable:
            "the resource is not available"
        case .secureConnectionFailed:
            "no secure connection could be made"
        case .serverCertificateHasBadDate:
            "the server's certificate has expired, or is not valid yet"
        case .serverCertificateHasUnknownRoot:
            "the server's certificate has an unknown root"
        case .serverCertificateNotYetValid:
            "the server's certificate is not valid yet"
        case .serverCertificateUntrusted:
            "the server's certificate is not trusted"
        case .timedOut:
            "it took too long"
        case .unknown:
            "the system reports no cause"
        case .unsupportedURL:
            "the URL of the request or of a redirect must be http or https, with a host and valid port"
        case .userAuthenticationRequired:
            "the server requires credentials"
        case .zeroByteResource:
            "the server sent nothing"
        default: nil
        }
    }
}

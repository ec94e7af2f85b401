import Foundation

/// An error with a reason. It shows no value that was sent or received, except the status and the
/// text of a `LocalizedError` such as ``ProblemDetails``.
protocol ReasonedError: Error {
    var reason: String { get }
}

extension Error {
    /// What the error says, without a value that was sent or received, except what a
    /// ``ReasonedError`` or the author of a `LocalizedError` shows.
    ///
    /// The `description` may show a value, so it isn't used.
    package var safeReason: String {
        switch self {
        case let error as any ReasonedError: error.reason
        case let error as URLError: error.reason
        case let error as EncodingError: error.codingReason
        case let error as DecodingError: error.codingReason
        case is CancellationError: "the load was cancelled"
        default:
            (self as? any LocalizedError)?.errorDescription
                // Without the cast, `type(of:)` returns `Error` if `Self` is `any Error`.
                ?? "\(type(of: self as any Error)) was thrown"
        }
    }
}

extension EncodingError {
    /// What is wrong and where, without the value.
    fileprivate var codingReason: String {
        switch self {
        case .invalidValue(let value as any FloatingPoint, let context) where !value.isFinite:
            """
            the number \(context.codingPath.place) is not finite; use a finite one, or an encoder \
            that writes it
            """
        case .invalidValue(_, let context):
            """
            the encoder can't write the value \(context.codingPath.place); change the value, or \
            use another encoder
            """
        @unknown default:
            "the encoder can't write a value; change the value, or use another encoder"
        }
    }
}

extension DecodingError {
    /// What is wrong and, if it is known, where, without the value.
    fileprivate var codingReason: String {
        switch self {
        case .typeMismatch(let type, let context) where type == Date.self:
            """
            the value \(context.codingPath.place) is not a date as the decoder reads it; set its \
            dateDecodingStrategy, such as `.iso8601`
            """
        case .typeMismatch(let type, let context):
            "the value \(context.codingPath.place) is not \(Self.name(of: type))"
        case .valueNotFound(_, let context):
            "the value \(context.codingPath.place) is null or missing"
        case .keyNotFound(let key, let context):
            "the value \((context.codingPath + [key]).place) is missing"
        case .dataCorrupted(let context) where context.isDate:
            """
            a date in the value \(context.codingPath.place) is not like 2026-03-01T00:00:00Z; \
            set another dateDecodingStrategy
            """
        case .dataCorrupted(let context) where context.underlyingError is UnfittingNumber:
            """
            the value \(context.codingPath.place) is not a number that fits in \
            \((context.underlyingError as? UnfittingNumber)?.type ?? "its type"); declare a type \
            that holds it
            """
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "the content is not valid"
        case .dataCorrupted(let context):
            "the value \(context.codingPath.place) is not valid"
        @unknown default:
            "a value is not valid"
        }
    }

    /// A type in words. Decoders report `Dictionary<…>` for an object, and `Array<…>` for an array.
    private static func name(of type: Any.Type) -> String {
        let name = "\(type)"
        if name.hasPrefix("Dictionary<") { return "an object" }
        if name.hasPrefix("Array<") { return "an array" }
        return "of type \(name)"
    }
}

/// Why a value can't be decoded: its number is too large for the type, or has a fraction.
struct UnfittingNumber: Error {
    let type: String
}

extension DecodingError.Context {
    /// Whether `JSONDecoder` could not read an ISO 8601 date. If so, `codingPath` may be that of
    /// the object or array around it.
    fileprivate var isDate: Bool {
        debugDescription == "Expected date string to be ISO8601-formatted."
    }
}

extension [any CodingKey] {
    /// The place in words, such as ``at `items[0].id` ``.
    var place: String {
        var path = ""
        for key in self {
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                path += "[\(index)]"
            } else if key.isDeclared {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            } else {
                path += "[…]"
            }
        }
        return isEmpty ? "at the top" : "at `\(path)`"
    }
}

extension CodingKey {
    /// Whether the key's text is in the program's code, as in a `CodingKeys` enum. Any other key,
    /// such as that of a dictionary or an enum case with a value (`case other(String)`), may come
    /// from the server or from a value of the request.
    fileprivate var isDeclared: Bool {
        if self is any DeclaredKey { return true }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
            && !"\(type(of: self))".hasPrefix("_")
    }
}

/// A key whose text is in the program's code. The text of an error may show such a key.
package protocol DeclaredKey: CodingKey {}

extension LocalizedError {
    package var localizedTexts: [String: Any] { texts(of: self) }
}

/// One function for all types of errors takes less machine code than one for each.
@inline(never)
private func texts(of error: any LocalizedError) -> [String: Any] {
    [
        NSLocalizedDescriptionKey: error.errorDescription,
        NSLocalizedFailureReasonErrorKey: error.failureReason,
        NSLocalizedRecoverySuggestionErrorKey: error.recoverySuggestion,
    ].compactMapValues(\.self)
}

extension Error {
    /// This error, or the cause of a ``TransportError``, as a `URLError`; `nil` if the domain of
    /// that error isn't `NSURLErrorDomain`, or `URLError` doesn't have its code. On Linux, `as?
    /// URLError` fails for an `NSError` of that domain.
    package var asURLError: URLError? {
        if let error = self as? TransportError { return error.cause.asURLError }
        let error = self as NSError
        guard error.domain == NSURLErrorDomain,
            let code = URLError.Code(rawValue: error.code) as URLError.Code?
        else { return nil }
        return URLError(code, userInfo: error.userInfo)
    }
}

extension URLError {
    var reason: String {
        if let reason = userInfo["EndpointsReason"] as? String {
            return "\(reason) (URLError \(code.rawValue))"
        }
        guard let coding = userInfo["EndpointsCoding"] as? String else { return code.reason }
        return "the response's Content-Encoding \(coding.quoted) is not supported "
            + "(URLError \(code.rawValue))"
    }
}

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
        case .cancelled:
            "the load was cancelled"
        case .cannotConnectToHost:
            "no connection to the host could be made"
        case .cannotDecodeContentData, .cannotDecodeRawData:
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

extension URLError.Code {
    var advice: String? {
        switch self {
        case .notConnectedToInternet: "Connect the device to the internet, and try again."
        case .dataNotAllowed: "Allow cellular data, or connect to Wi-Fi, and try again."
        case .internationalRoamingOff: "Turn roaming on, or connect to Wi-Fi, and try again."
        case .callIsActive: "End the phone call, and try again."
        case .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost,
            .dnsLookupFailed, .resourceUnavailable, .unknown:
            "Check the connection to the internet, and try again later."
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            "Check the date of the device. If it is right, the server's certificate is wrong."
        case .userAuthenticationRequired: "Sign in, and try again."
        default: nil
        }
    }
}

extension URLError: TransientError {
    /// Whether the same request may succeed later: the device was offline, the server wasn't found
    /// or didn't respond, the connection was lost, or the cause is unknown.
    public var isTransient: Bool { Self.transientCodes.contains(code) }

    /// `unknown` is one of them, as it doesn't say that the next attempt must fail.
    private static let transientCodes =
        URLError.Code.offline + [
            .unknown, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost,
            .dnsLookupFailed,
            .timedOut,
        ]
}

extension URLError {
    package init(_ code: Code, at url: URL?) {
        self.init(code, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
    }

    /// The error of a body with more than `limit` bytes.
    static func isLonger(than limit: Int, at url: URL? = nil) -> URLError {
        let text = "the response's body has more than \(limit) bytes; "
        return URLError(.dataLengthExceedsMaximum, at: url)
            .saying(text + "set a higher bodyLimit in LoadPolicy")
    }

    /// The error of a stream of which more than `limit` bytes are unread.
    static func isUnread(beyond limit: Int) -> URLError {
        let text = "more than \(limit) bytes of the response's body are unread; "
        return URLError(.dataLengthExceedsMaximum)
            .saying(text + "read them sooner, or set a higher unreadLimit in LoadPolicy")
    }

    /// This error with a text of its own.
    func saying(_ text: String) -> URLError {
        URLError(code, userInfo: userInfo.merging(["EndpointsReason": text]) { $1 })
    }
}

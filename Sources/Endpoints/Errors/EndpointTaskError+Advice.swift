import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension EndpointTaskError {
    /// Why the load failed, as the end of a sentence; `nil` if it was cancelled. If the error
    /// response, or the error that a transport threw, has a `failureReason`, that is the text.
    ///
    ///     let error = EndpointTaskError<Never>.urlLoadError(URLError(.timedOut))
    ///     print(error.failureReason ?? "")
    ///     // it took too long (URLError -1001)
    public var failureReason: String? {
        switch self {
        case .endpointError(let error): error.failureReason
        case .urlLoadError(let error), .internetConnectionOffline(let error): error.code.reason
        case .transportError(let error): error.failureReason
        case .fileError(let error): error.reason
        case .cancelled: nil
        case .unexpectedResponse(let head): "the status is \(head.statusCode)"
        case .errorResponse(let head, let response):
            (response as? any LocalizedError)?.failureReason ?? "the status is \(head.statusCode)"
        case .errorResponseParseError(_, _, let error), .responseParseError(_, _, let error):
            error.failureReason
        }
    }

    /// What a person can do; `nil` if nothing is known to help.
    ///
    ///     let error = EndpointTaskError<Never>.urlLoadError(URLError(.timedOut))
    ///     print(error.recoverySuggestion ?? "")
    ///     // Check the connection to the internet, and try again later.
    public var recoverySuggestion: String? {
        switch self {
        case .endpointError(let error): error.recoverySuggestion
        case .urlLoadError(let error), .internetConnectionOffline(let error): error.code.advice
        case .transportError(let error): error.recoverySuggestion
        case .fileError(let error): error.recoverySuggestion
        case .cancelled: nil
        case .unexpectedResponse(let head): head.advice
        case .errorResponse(let head, let response):
            (response as? any LocalizedError)?.recoverySuggestion ?? head.advice
        case .errorResponseParseError(let head, _, _): head.advice
        case .responseParseError(_, _, let error): error.recoverySuggestion
        }
    }
}

extension EndpointError {
    /// The field, what is wrong and, in most cases, what to do, without the request type.
    public var failureReason: String? { "\(field) \(reason)" }
    /// The `recoverySuggestion` of the ``cause``, if it has one, such as `Sign in.`; else a text
    /// that says that the program must change, as trying again doesn't help.
    public var recoverySuggestion: String? {
        (cause as? any LocalizedError)?.recoverySuggestion
            ?? "Correct the request or its environment in the program; trying again doesn't help."
    }
}

extension EndpointParseError {
    /// What is wrong, without the request type.
    public var failureReason: String? { cause.safeReason }
    /// What a person can do.
    public var recoverySuggestion: String? {
        "Update the app: the server sends something that this version can't read."
    }
}

extension FileError {
    /// What is wrong and, in most cases, what to do, without the file's name.
    public var failureReason: String? { reason }
    /// What a person can do; `nil` for ``FileError/Kind/other(code:)``.
    public var recoverySuggestion: String? {
        switch kind {
        case .exists: "Choose another name, or replace the file."
        case .missing: "Check that the file to send, or the directory to save in, exists."
        case .notAFile: "Choose a file, not a directory."
        case .notPermitted: "Choose a place where files may be read and written."
        case .outOfSpace: "Free some space on the disk, or use another disk, and try again."
        case .changed: "Send the file again when no program is writing to it."
        case .other: nil
        }
    }
}

extension URLError.Code {
    fileprivate var advice: String? {
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

extension HTTPURLResponse {
    fileprivate var advice: String? {
        switch statusCode {
        case 401: "Sign in, and try again."
        case 403: "Ask for the permission to do this."
        case 408, 425, 429, 500..<600: "Try again later."
        default: nil
        }
    }
}

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension EndpointTaskError: CustomNSError {
    /// `Endpoints.TaskError`, whatever type the `ErrorResponse` is.
    public static var errorDomain: String { "Endpoints.TaskError" }

    /// A number for the case and its status or code. Crash reporters group errors by this number.
    ///
    /// | case | code |
    /// |---|---|
    /// | `.endpointError` | 10,000 + the code of the ``EndpointError``, one for each kind of field |
    /// | `.urlLoadError` | 20,000 + the `URLError`'s code without its sign, such as 21001 for a timeout |
    /// | `.internetConnectionOffline` | 30,000 + the `URLError`'s code without its sign |
    /// | `.transportError` | 40,000 |
    /// | `.fileError` | 50,000 + the code of the ``FileError``, one for each kind |
    /// | `.cancelled` | 60,000 |
    /// | `.unexpectedResponse` | 70,000 + the status |
    /// | `.errorResponse` | 80,000 + the status, such as 80404 |
    /// | `.errorResponseParseError` | 90,000 + the status |
    /// | `.responseParseError` | 100,000 + the status |
    ///
    /// The codes are the same in each version of the library.
    public var errorCode: Int {
        switch self {
        case .endpointError(let error): 10_000 + error.errorCode
        case .urlLoadError(let error): 20_000 + abs(error.code.rawValue)
        case .internetConnectionOffline(let error): 30_000 + abs(error.code.rawValue)
        case .transportError: 40_000
        case .fileError(let error): 50_000 + error.errorCode
        case .cancelled: 60_000
        case .unexpectedResponse(let head): 70_000 + head.statusCode
        case .errorResponse(let head, _): 80_000 + head.statusCode
        case .errorResponseParseError(let head, _, _): 90_000 + head.statusCode
        case .responseParseError(let head, _, _): 100_000 + head.statusCode
        }
    }

    /// The texts of an `NSError` made from this error. On Linux, it gets its texts only from here.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension EndpointError: CustomNSError {
    /// `Endpoints.EndpointError`.
    public static var errorDomain: String { "Endpoints.EndpointError" }

    /// A number for the kind of field. The numbers are the same in each version of the library.
    public var errorCode: Int {
        switch field {
        case .method: 1
        case .path: 2
        case .pathValue: 3
        case .query: 4
        case .form: 5
        case .header: 6
        case .body: 7
        case .response: 8
        case .property: 9
        case .baseUrl: 10
        case .url: 11
        case .prepare: 12
        case .requestProcessor: 13
        case .part: 14
        case .environmentHeaders: 15
        }
    }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension EndpointParseError: CustomNSError {
    /// `Endpoints.EndpointParseError`.
    public static var errorDomain: String { "Endpoints.EndpointParseError" }

    /// 1 for a missing key, 2 for a missing value (`null`, or a list that ends too early), 3 for a
    /// value of a wrong type, 4 for content or a value that the decoder finds invalid, such as a
    /// date, and 0 for a ``cause`` that isn't a `DecodingError`.
    public var errorCode: Int {
        switch cause as? DecodingError {
        case .keyNotFound: 1
        case .valueNotFound: 2
        case .typeMismatch: 3
        case .dataCorrupted: 4
        default: 0
        }
    }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension FileError: CustomNSError {
    /// `Endpoints.FileError`.
    public static var errorDomain: String { "Endpoints.FileError" }

    /// A number from 1 to 6 for the kind, or 1000 plus `errno` for ``FileError/Kind/other(code:)``.
    public var errorCode: Int {
        switch kind {
        case .exists: 1
        case .missing: 2
        case .notAFile: 3
        case .notPermitted: 4
        case .outOfSpace: 5
        case .changed: 6
        case .other(let code): 1000 + Int(code)
        }
    }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension TransportError: CustomNSError {
    /// `Endpoints.TransportError`.
    public static var errorDomain: String { "Endpoints.TransportError" }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension UnrepresentableValue: CustomNSError {
    /// `Endpoints.UnrepresentableValue`.
    public static var errorDomain: String { "Endpoints.UnrepresentableValue" }
}

extension LocalizedError {
    package var localizedTexts: [String: Any] {
        [
            NSLocalizedDescriptionKey: errorDescription,
            NSLocalizedFailureReasonErrorKey: failureReason,
            NSLocalizedRecoverySuggestionErrorKey: recoverySuggestion,
        ].compactMapValues(\.self)
    }
}

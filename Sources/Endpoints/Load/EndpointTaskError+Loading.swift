import Foundation

extension EndpointTaskError {
    package init(loading error: any Error, _ requestType: Any.Type) {
        switch error {
        case let error as EndpointError:
            self = .endpointError(
                EndpointError(
                    requestType: "\(requestType)", field: error.field, reason: error.reason,
                    cause: error.cause))
        case let error as URLError where error.code == .cancelled:
            self = .cancelled(URLError(.cancelled))
        case let error as URLError where URLError.Code.offline.contains(error.code):
            self = .internetConnectionOffline(error)
        case let error as URLError:
            self = .urlLoadError(error)
        case let error as FileError:
            self = .fileError(error)
        case let error as TransportError:
            self.init(loading: error.cause, requestType)
        case is CancellationError:
            self = .cancelled(URLError(.cancelled))
        default:
            guard let urlError = error.asURLError else {
                self = .transportError(TransportError(cause: error))
                return
            }
            self.init(loading: urlError, requestType)
        }
    }
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

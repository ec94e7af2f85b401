#if canImport(FoundationNetworking)
    import Foundation

    extension URLError {
        /// This error, but `cannotParseResponse` if the response wasn't HTTP. For such a response,
        /// `URLSession` reports `unsupportedURL` (Swift 6.3.1). Remove this when it doesn't.
        func corrected(at url: URL?) -> URLError {
            guard code == .unsupportedURL, let scheme = url?.scheme,
                ["http", "https"].contains(scheme)
            else { return self }
            return URLError(.cannotParseResponse, userInfo: userInfo)
        }
    }
#endif

#if canImport(FoundationNetworking)
    import Foundation

    extension URLError {
        /// This error, or `cannotParseResponse` if the response wasn't HTTP. `URLSession` reports
        /// `unsupportedURL` for such a response (Swift 6.3.1). When it doesn't, this can go.
        func corrected(at url: URL?) -> URLError {
            guard code == .unsupportedURL, let scheme = url?.scheme,
                ["http", "https"].contains(scheme)
            else { return self }
            return URLError(.cannotParseResponse, userInfo: userInfo)
        }
    }
#endif

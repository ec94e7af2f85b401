#if canImport(FoundationNetworking)
    import Foundation

    extension URLError {
        /// `cannotParseResponse` for a response that isn't HTTP. `URLSession` reports it as an
        /// unsupported URL (Swift 6.3.1); when it reports what Apple platforms do, this can go.
        func corrected(at url: URL?) -> URLError {
            guard code == .unsupportedURL, let scheme = url?.scheme,
                ["http", "https"].contains(scheme)
            else { return self }
            return URLError(.cannotParseResponse, userInfo: userInfo)
        }
    }
#endif

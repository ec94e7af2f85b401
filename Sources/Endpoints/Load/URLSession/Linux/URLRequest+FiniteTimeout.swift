#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// This request with a timeout from 0 to about 30 years. With an infinite or huge timeout,
        /// `URLSession` ends the process (Swift 6.3.1). When `URLSession` accepts such a timeout,
        /// this can go.
        var withFiniteTimeout: URLRequest {
            guard !(0...Load.longestTime ~= timeoutInterval) else { return self }
            var request = self
            request.timeoutInterval = timeoutInterval > 0 ? Load.longestTime : 0
            return request
        }
    }
#endif

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// This request as `URLSession` sends it without a `Content-Type` of its own making.
        ///
        /// It labels the body of a POST without that header as a form, even where the session adds
        /// the header (Swift 6.3.1). A value of one space sends no header at all. When `URLSession`
        /// adds none, this can go.
        func withoutFormType(_ session: URLSession) -> URLRequest {
            guard httpMethod == "POST", httpBody != nil || httpBodyStream != nil,
                value(forHTTPHeaderField: "Content-Type") == nil
            else { return self }
            var request = self
            request.setValue(session.contentType ?? " ", forHTTPHeaderField: "Content-Type")
            return request
        }
    }

    extension URLSession {
        /// The header that the session adds to its requests.
        fileprivate var contentType: String? {
            configuration.httpAdditionalHeaders?.first {
                Headers(name: "\($0.key)") == .contentType
            }
            .map { "\($0.value)" }
        }
    }
#endif

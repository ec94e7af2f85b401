#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// This request, changed so that `URLSession` doesn't label its body as a form.
        ///
        /// `URLSession` adds the `Content-Type` of a form to a POST that has a body but no
        /// `Content-Type`, even if the session's configuration has one (Swift 6.3.1). So the
        /// result has the configuration's `Content-Type`. If there is none, the value is a space,
        /// and `URLSession` sends no `Content-Type`. When `URLSession` adds none to such a POST,
        /// this can go.
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
        fileprivate var contentType: String? {
            configuration.httpAdditionalHeaders?.first {
                Headers(name: "\($0.key)") == .contentType
            }
            .map { "\($0.value)" }
        }
    }
#endif

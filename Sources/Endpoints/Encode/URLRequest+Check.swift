import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Why a `URLSession` would not send this request as it is; `nil` if no reason is found.
    ///
    /// The library checks the requests that it makes. But ``RequestType/prepare(_:)``, an
    /// environment's `requestProcessor` and callers of ``Transport/send(_:)`` may change them
    /// afterwards.
    package var refusal: FieldError? {
        let method = HTTPMethod(rawValue: httpMethod ?? "GET")
        do throws(FieldError) { try method.check() } catch { return error }
        if hasContent && (method == .get || method == .head) {
            return .bodyNotSent(with: method.rawValue)
        }
        for (name, value) in allHTTPHeaderFields ?? [:] {
            do throws(FieldError) { _ = try Headers(name: name).checked(value) } catch {
                return error
            }
        }
        return nil
    }

    private var hasContent: Bool { httpBodyStream != nil || httpBody?.isEmpty == false }
}

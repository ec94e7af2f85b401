import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the body is an event stream: the status is 200 and the media type is
    /// `text/event-stream`, whatever its parameters are (HTML Standard, section 9.2.3).
    var isEventStream: Bool {
        let type = value(forHTTPHeaderField: "Content-Type") ?? ""
        let name = String(Substring(type.utf8.prefix { $0 != .semicolon })).trimmingBlanks
        return statusCode == 200 && name.lowercased() == "text/event-stream"
    }
}

import Foundation

/// An HTTP archive, the format in which browsers and proxies export a session (HAR 1.2).
///
/// ``Recorder`` writes the members that the format requires. What is read, and what may be missing,
/// is in `HTTPArchive+Reading.swift`.
struct HTTPArchive {
    struct Entry: Encodable {
        var startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        var cache = Cache()
        var timings: Timings
        /// What is masked in this entry.
        var comment: String?
    }

    struct Request: Encodable {
        var method: String
        var url: String
        var httpVersion = "HTTP/1.1"
        var cookies: [Pair] = []
        var headers: [Pair]
        var queryString: [Pair] = []
        var postData: PostData?
        var headersSize = -1
        var bodySize: Int
    }

    struct Response: Encodable {
        var status: Int
        var statusText = ""
        var httpVersion = "HTTP/1.1"
        var cookies: [Pair] = []
        var headers: [Pair]
        var content: Content
        var redirectURL = ""
        var headersSize = -1
        var bodySize: Int
        /// Why there is no response (the status is 0), or no more of it: the code of a `URLError`,
        /// or a browser's text.
        var _error: String?
        /// Whether the body broke off, or its reader left before the end, so that only its
        /// beginning is here.
        var _cut: Bool?
        /// The response's URL, if it isn't that of the request, as after a redirect.
        var _url: String?
    }

    struct PostData: Encodable {
        var mimeType: String
        var text: String?
        /// `base64` if the body isn't text. HAR doesn't define this member, but allows any whose
        /// name begins with an underscore.
        var _encoding: String?
        /// The file with the body, beside the archive.
        var _file: String?
        var params: [Parameter]?
    }

    struct Parameter: Encodable {
        var name: String
        var value: String?
    }

    struct Content: Encodable {
        var size: Int
        var mimeType: String
        var text: String?
        var encoding: String?
        /// The file with the body, beside the archive.
        var _file: String?
    }

    struct Pair: Encodable {
        var name: String
        var value: String
    }

    struct Cache: Encodable {}

    struct Timings: Encodable {
        var send: Double = 0
        var wait: Double
        var receive: Double = 0
    }

    var entries: [Entry]
    /// Why each entry that can't be read was skipped.
    var skipped: [String]
}

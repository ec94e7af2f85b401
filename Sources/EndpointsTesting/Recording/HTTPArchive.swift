import Foundation

/// An HTTP archive, the format in which browsers and proxies export a session (HAR 1.2).
struct HTTPArchive: Codable {
    struct Log: Codable {
        var entries: [Entry]
    }

    struct Entry: Codable {
        var startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        var cache = Cache()
        var timings: Timings
    }

    struct Request: Codable {
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

    struct Response: Codable {
        var status: Int
        var statusText = ""
        var httpVersion = "HTTP/1.1"
        var cookies: [Pair] = []
        var headers: [Pair]
        var content: Content
        var redirectURL = ""
        var headersSize = -1
        var bodySize: Int
        /// If the status is 0, why there is no response: the code of a `URLError`, or a browser's
        /// text.
        var _error: String?
        /// Whether the reader left before the end of the body, so that only its beginning is here.
        var _cut: Bool?
    }

    struct PostData: Codable {
        var mimeType: String
        var text: String?
        /// `base64` if the body isn't text. HAR doesn't define this member, but allows any whose
        /// name begins with an underscore.
        var _encoding: String?
        var params: [Parameter]?
    }

    struct Parameter: Codable {
        var name: String
        var value: String?
    }

    struct Content: Codable {
        var size: Int
        var mimeType: String
        var text: String?
        var encoding: String?
    }

    struct Pair: Codable {
        var name: String
        var value: String
    }

    struct Cache: Codable {}

    struct Timings: Codable {
        var send: Double = 0
        var wait: Double
        var receive: Double = 0
    }

    var log: Log

    /// - Throws: A ``RecordingError`` that names the file, if it can't be read as an archive.
    init(contentsOf file: URL) throws {
        let data: Data
        do { data = try Data(contentsOf: file) } catch CocoaError.fileReadNoSuchFile {
            throw RecordingError(
                description: """
                    there is no file \(file.path); correct the path, or record the file with a \
                    Recorder, or with recorded(at:) and the environment variable ENDPOINTS_RECORD=1
                    """)
        } catch {
            throw RecordingError(
                description: """
                    \(file.path) can't be read; check that it is a file, and that the program has \
                    permission to read it
                    """)
        }
        do { self = try JSONDecoder().decode(HTTPArchive.self, from: data) } catch {
            throw RecordingError(
                description: """
                    \(file.lastPathComponent) can't be read as an HTTP archive: \
                    \(error.safeReason). Check the file, or record it again
                    """)
        }
    }
}

extension HTTPArchive.Content {
    var data: Data {
        guard encoding == "base64" else { return Data((text ?? "").utf8) }
        return Data(base64Encoded: text ?? "", options: .ignoreUnknownCharacters) ?? Data()
    }
}

extension HTTPArchive.PostData {
    /// Without a `text`, the form's `params` are joined as `a=1&b=2`.
    var data: Data {
        guard let text else {
            let fields = (params ?? []).map { "\($0.name)=\($0.value ?? "")" }
            return Data(fields.joined(separator: "&").utf8)
        }
        guard _encoding == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text) ?? Data()
    }
}

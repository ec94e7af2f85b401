import Endpoints
import Foundation

extension HTTPArchive {
    /// - Throws: A ``RecordingError`` that names the file, if it can't be read as an archive, or if
    ///   none of its entries can be read.
    init(contentsOf file: URL) throws {
        guard file.isFileURL else { throw RecordingError(notAFileURL: file) }
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
        do { self = try JSONDecoder().located(HTTPArchive.self, from: data) } catch {
            throw RecordingError(unreadable: file, error.safeReason)
        }
        if entries.isEmpty, let reason = skipped.first {
            throw RecordingError(unreadable: file, "it has no entry that can be read: \(reason)")
        }
    }
}

extension RecordingError {
    fileprivate init(unreadable file: URL, _ reason: String) {
        self.init(
            description: """
                \(file.lastPathComponent) can't be read as an HTTP archive: \(reason). Check the \
                file, or record it again
                """)
    }
}

extension HTTPArchive: Decodable {
    private struct Log: Decodable {
        let entries: [ReadEntry]
    }

    private enum Members: CodingKey { case log }

    init(from decoder: any Decoder) throws {
        let log = try decoder.container(keyedBy: Members.self).decode(Log.self, forKey: .log)
        (entries, skipped) = ([], [])
        for (index, read) in log.entries.enumerated() {
            switch read.result {
            case .success(let entry): entries.append(entry)
            case .failure(let error):
                skipped.append("entry \(index + 1)\(read.name): \(error.safeReason)")
            }
        }
    }
}

/// An entry, or why it can't be read.
private struct ReadEntry: Decodable {
    let result: Result<HTTPArchive.Entry, any Error>
    /// What is known of the request.
    let name: String

    private struct Outline: Decodable {
        struct Request: Decodable {
            let method: String?
            let url: String?
        }
        let request: Request?
    }

    init(from decoder: any Decoder) {
        result = Result { try HTTPArchive.Entry(from: decoder) }
        let request = (try? Outline(from: decoder))?.request
        let url = SecretNames.usual.masked(request?.url.flatMap(URL.init(recorded:)))
        let words = [request?.method, url].compactMap(\.self).filter { !$0.isEmpty }
        name = words.isEmpty ? "" : " (\(words.joined(separator: " ")))"
    }
}

extension KeyedDecodingContainer {
    /// A whole number of three digits, or 0 if there was no response. `JSONDecoder` has no error of
    /// Foundation for `1.5` as an `Int`.
    fileprivate func status(_ key: Key) throws -> Int {
        guard let number = try? decode(Double.self, forKey: key) else {
            return try decode(Int.self, forKey: key)
        }
        guard let status = Int(exactly: number), status == 0 || (100...999).contains(status) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "not a status")
        }
        return status
    }

    /// The value under a key, or another value if the key is missing or `null`.
    fileprivate func value<Value: Decodable>(_ key: Key, or missing: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? missing
    }
}

// What isn't used is not read, because programs leave out other members than the format allows.

extension HTTPArchive.Entry: Decodable {
    private enum Members: CodingKey { case request, response, comment }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Members.self)
        self.init(
            startedDateTime: "", time: 0,
            request: try values.decode(HTTPArchive.Request.self, forKey: .request),
            response: try values.decode(HTTPArchive.Response.self, forKey: .response),
            timings: HTTPArchive.Timings(wait: 0),
            comment: try? values.decode(String.self, forKey: .comment))
    }
}

extension HTTPArchive.Request: Decodable {
    private enum Members: CodingKey { case method, url, headers, postData }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Members.self)
        self.init(
            method: try values.decode(String.self, forKey: .method),
            url: try values.decode(String.self, forKey: .url),
            headers: try values.value(.headers, or: []),
            postData: try values.decodeIfPresent(HTTPArchive.PostData.self, forKey: .postData),
            bodySize: -1)
    }
}

extension HTTPArchive.Response: Decodable {
    private enum Members: CodingKey {
        case status, headers, content, redirectURL, _error, _cut, _url
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Members.self)
        let nothing = HTTPArchive.Content(size: 0, mimeType: "")
        self.init(
            status: try values.status(.status),
            headers: try values.value(.headers, or: []),
            content: try values.value(.content, or: nothing),
            redirectURL: try values.value(.redirectURL, or: ""),
            bodySize: -1,
            // Programs have members of their own with these names, of any type.
            _error: try? values.decode(String.self, forKey: ._error),
            _cut: try? values.decode(Bool.self, forKey: ._cut),
            _url: try? values.decode(String.self, forKey: ._url))
    }
}

extension HTTPArchive.PostData: Decodable {
    private enum Members: CodingKey { case mimeType, text, _encoding, _file, params }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Members.self)
        self.init(
            mimeType: try values.value(.mimeType, or: ""),
            text: try values.decodeIfPresent(String.self, forKey: .text),
            _encoding: try? values.decode(String.self, forKey: ._encoding),
            _file: try values.decodeIfPresent(String.self, forKey: ._file),
            params: try values.decodeIfPresent([HTTPArchive.Parameter].self, forKey: .params))
        if _encoding?.lowercased() == "base64", Data(base64: text ?? "") == nil {
            throw DecodingError.notBase64(.text, in: values)
        }
    }
}

extension HTTPArchive.Content: Decodable {
    private enum Members: CodingKey { case text, encoding, _file }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Members.self)
        self.init(
            size: -1, mimeType: "",
            text: try values.decodeIfPresent(String.self, forKey: .text),
            encoding: try values.decodeIfPresent(String.self, forKey: .encoding),
            _file: try values.decodeIfPresent(String.self, forKey: ._file))
        if data == nil { throw DecodingError.notBase64(.text, in: values) }
    }
}

extension HTTPArchive.Parameter: Decodable {
    private enum Members: CodingKey { case name, value }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Members.self)
        self.init(
            name: try values.decode(String.self, forKey: .name),
            value: try values.decodeIfPresent(String.self, forKey: .value))
    }
}

extension HTTPArchive.Pair: Decodable {
    private enum Members: CodingKey { case name, value }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Members.self)
        self.init(
            name: try values.decode(String.self, forKey: .name),
            value: try values.value(.value, or: ""))
    }
}

extension DecodingError {
    fileprivate static func notBase64<Key>(
        _ key: Key, in values: KeyedDecodingContainer<Key>
    ) -> DecodingError {
        .dataCorruptedError(forKey: key, in: values, debugDescription: "not Base64")
    }
}

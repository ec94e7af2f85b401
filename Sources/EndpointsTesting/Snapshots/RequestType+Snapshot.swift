import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// The request as a text that is the same in each run, for a snapshot in a test.
    ///
    ///     #expect(try GetUser(id: 42).snapshot(in: .production) == """
    ///         GET https://api.example.com/users/42
    ///         Accept: application/json
    ///         """)
    ///
    /// Headers are sorted by name. JSON is indented, with its keys sorted; JSON Lines keep one line
    /// for each value. A form has a line for each field. A multipart form shows its parts. Other
    /// text is kept, other bytes are Base64. Files are read. `…` stands for secret headers, query
    /// values, form fields, JSON members and parts, and for the random boundary between parts.
    /// - Parameters:
    ///   - environment: Where the request would be sent.
    ///   - secretNames: Changes to ``SecretNames/usual``.
    /// - Throws: An ``EndpointError`` if no request can be made, or a file can't be read.
    public func snapshot(
        in environment: Environment, masking secretNames: SecretNames = []
    ) throws(EndpointError) -> String {
        if let wrong = WrongSetting(
            masking: secretNames, of: "snapshot", in: .call, "write names, such as `stamp`")
        {
            throw wrong.error(Self.self)
        }
        let request = try TransportRequest(of: self, in: environment)
        do throws(FileError) {
            let names = SecretNames.usual.union(secretNames)
            return try RequestText(request.urlRequest, request.policy, names).text
        } catch {
            throw EndpointError(
                requestType: "\(Self.self)", field: .body, reason: "can't be read: \(error)",
                cause: error)
        }
    }
}

/// A request as text that is the same in each run, for snapshots and for ``Replay``.
struct RequestText {
    let text: String

    /// - Parameter known: Secrets of the request that aren't found in the `URLRequest`.
    init(
        _ urlRequest: URLRequest, _ policy: LoadPolicy, _ secretNames: SecretNames,
        known: [String] = []
    ) throws(FileError) {
        let method = urlRequest.method
        let secrets =
            secretNames == .nothing ? [] : urlRequest.secrets(under: policy, secretNames)
        var masking = policy.masking(secretNames, known + secrets, whole: "\"…\"")
        var lines = ["\(method) \(masking.url(urlRequest.url))"]
        let headers = (urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let type = urlRequest.value(forHTTPHeaderField: "Content-Type") ?? ""
        lines += headers.map { name, value in
            let value = value.replacingMultipartBoundary(with: "…")
            let isSecret = policy.hides(name, masking: masking.names)
            return "\(name): \(isSecret ? "…" : masking.header(value))"
        }
        if let body = try urlRequest.wholeBody, !body.isEmpty {
            let masked = masking.body(Array(body), type).bytes
            lines += [
                "",
                masked.map { Self.text(of: Data($0), type) } ?? Masking.summary(type, body.count),
            ]
        }
        text = lines.joined(separator: "\n")
    }

    private static func text(of body: Data, _ type: String) -> String {
        let bytes = Array(body)
        if let parts = bytes.multipartParts(type) {
            let parts = parts.map { part in
                let head = String(decoding: bytes[part.head], as: UTF8.self)
                    .replacingOccurrences(of: "\r\n", with: "\n")
                let content = text(of: Data(bytes[part.content]), part.type)
                return "--…\n\(head)\n\n\(content)"
            }
            return (parts + ["--…--"]).joined(separator: "\n")
        }
        let type = type.lowercased()
        if type.contains("json") {
            let isLines = type.contains("jsonl") || type.contains("ndjson")
            if !isLines, let json = json(body, .prettyPrinted) { return json }
            let lines = body.split(separator: 10, omittingEmptySubsequences: false)
            return lines.map { json($0, []) ?? String(decoding: $0, as: UTF8.self) }
                .joined(separator: "\n")
        }
        guard let text = String(data: body, encoding: .utf8) else {
            return body.base64EncodedString(options: .lineLength76Characters)
        }
        let isForm = type.hasPrefix("application/x-www-form-urlencoded")
        return isForm ? text.replacingOccurrences(of: "&", with: "\n") : text
    }

    private static func json(
        _ body: Data, _ options: JSONSerialization.WritingOptions
    ) -> String? {
        guard
            let value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed),
            let data = try? JSONSerialization.data(
                withJSONObject: value,
                options: options.union([.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]))
        else { return nil }
        return String(data: data, encoding: .utf8)
    }
}

extension URLRequest {
    /// The whole body, with an upload's files read; `nil` if there is no body, or it is a
    /// stream, but not an upload.
    var wholeBody: Data? {
        get throws(FileError) {
            if let upload { return try upload.data() }
            return httpBody
        }
    }
}

/// Describes the first line at which two texts differ; `nil` if the texts are the same.
///
///     let text = difference(from: "GET /a\nAccept: text/html", to: "GET /a\nAccept: text/csv")
///     // line 2 was `Accept: text/html` and is `Accept: text/csv`
public func difference(from old: String, to new: String) -> String? {
    let (old, new) = (lines(of: old), lines(of: new))
    for index in 0..<max(old.count, new.count) {
        let (before, after) = (
            index < old.count ? old[index] : nil, index < new.count ? new[index] : nil
        )
        // Bytes are compared, because `==` of two strings ignores how an accent is written.
        if before.map({ Array($0.utf8) }) == after.map({ Array($0.utf8) }) { continue }
        switch (before, after) {
        case (let before?, let after?): return "line \(index + 1) was `\(before)` and is `\(after)`"
        case (let before?, nil): return "line \(index + 1), `\(before)`, is missing"
        case (nil, let after?): return "line \(index + 1), `\(after)`, is new"
        case (nil, nil): return nil
        }
    }
    return nil
}

private func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
}

extension String {
    /// A multipart media type with another text as its boundary; any other text as it is.
    func replacingMultipartBoundary(with text: String) -> String {
        guard let boundary = multipartBoundary,
            let name = range(of: "boundary=", options: .caseInsensitive),
            let old = range(of: boundary, range: name.upperBound..<endIndex)
        else { return self }
        return replacingCharacters(in: old, with: text)
    }
}

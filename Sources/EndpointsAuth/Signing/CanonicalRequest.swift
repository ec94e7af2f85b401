import EndpointsShared
import Foundation

/// A request in the form in which AWS Signature Version 4 signs it (“Create a canonical request” in
/// the IAM User Guide).
struct CanonicalRequest: Sendable {
    let method: String
    let path: String
    let query: String
    /// The names of the signed headers, sorted, with semicolons between them.
    let signedHeaders: String
    private let headers: String
    /// The digest of the body, or what stands for it.
    let payload: String

    /// - Parameters:
    ///   - path: The canonical path.
    ///   - query: The query items as they are sent, escaped.
    ///   - fields: The headers that are signed, in any order. The values of a name that is there
    ///     twice are joined in their order.
    init(
        method: String, path: String, query: [AWSQueryItem],
        fields: [(name: String, value: String)], payload: String
    ) {
        self.method = method
        self.path = path
        self.query = query.sorted().map(\.canonicalText).joined(separator: "&")
        self.payload = payload
        var values: [String: [String]] = [:]
        for (name, value) in fields {
            values[name.lowercased(), default: []].append(value.withSingleSpaces)
        }
        let names = values.keys.sorted()
        signedHeaders = names.joined(separator: ";")
        headers = names.map { "\($0):\((values[$0] ?? []).joined(separator: ","))\n" }.joined()
    }

    var text: String {
        [method, path, query, headers, signedHeaders, payload].joined(separator: "\n")
    }
}

/// A query item whose name and value are escaped.
struct AWSQueryItem: Comparable, Hashable, Sendable {
    let name: String
    /// `nil` for an item without `=`.
    let value: String?

    /// - Parameters:
    ///   - name: The name, not yet escaped.
    ///   - value: The value, not yet escaped.
    init(_ name: String, _ value: String) {
        self.name = PercentEncoding.encoded(name.utf8)
        self.value = PercentEncoding.encoded(value.utf8)
    }

    /// - Parameter text: An item of a URL, such as `a=b%20c`.
    init(of text: Substring) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = normalized(parts[0])
        value = parts.count == 2 ? normalized(parts[1]) : nil
    }

    /// The items of a query.
    static func items(of query: Substring) -> [AWSQueryItem] {
        query.split(separator: "&").map(AWSQueryItem.init(of:))
    }

    /// The item as it is sent.
    var text: String { value.map { "\(name)=\($0)" } ?? name }
    fileprivate var canonicalText: String { "\(name)=\(value ?? "")" }

    static func < (left: AWSQueryItem, right: AWSQueryItem) -> Bool {
        (left.name, left.value ?? "") < (right.name, right.value ?? "")
    }
}

/// A part of a URL, escaped as AWS signs it: `%7e` becomes `~`, and `+` becomes `%2B`.
private func normalized(_ text: some StringProtocol, keepingSlashes: Bool = false) -> String {
    PercentEncoding.encoded(
        PercentEncoding.decoded(text), keeping: keepingSlashes ? "-._~/" : "-._~")
}

/// The path of a request that is signed.
struct AWSPath: Sendable {
    /// The path in the canonical request.
    let canonical: String

    /// - Parameters:
    ///   - path: The path as it is sent.
    ///   - isOfS3: Whether the path names an object of S3, so that each of its slashes and dots
    ///     counts. S3 signs the path escaped once, all other services twice and without `.`, `..`
    ///     and empty segments.
    init(sent path: some StringProtocol, isOfS3: Bool) {
        if isOfS3 {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            let canonical = segments.map { segment in
                Self.escapedDots.contains(segment.uppercased())
                    ? segment.uppercased() : normalized(segment, keepingSlashes: true)
            }.joined(separator: "/")
            self.canonical = canonical.isEmpty ? "/" : canonical
        } else {
            canonical = PercentEncoding.encoded(
                Self.withoutDots(String(path)).utf8, keeping: "-._~/")
        }
    }

    /// The path of an object of S3 as it is sent: a `%2F` of a key becomes a slash, and a segment
    /// `.` or `..` is escaped, as clients remove it otherwise (RFC 3986, section 5.2.4).
    ///
    ///     /photos/a%2F.%2Fb+c   ->   /photos/a/%2E/b%2Bc
    static func sendable(_ path: some StringProtocol) -> String {
        normalized(path, keepingSlashes: true)
            .split(separator: "/", omittingEmptySubsequences: false)
            .map { $0 == "." || $0 == ".." ? $0.map { _ in "%2E" }.joined() : String($0) }
            .joined(separator: "/")
    }

    private static let escapedDots: Set<String> = ["%2E", "%2E%2E"]

    private static func withoutDots(_ path: String) -> String {
        var segments: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for part in parts where !part.isEmpty && part != "." {
            if part != ".." { segments.append(part) } else { _ = segments.popLast() }
        }
        let isFolder = parts.last.map { ["", ".", ".."].contains($0) } ?? false
        guard !segments.isEmpty else { return "/" }
        return "/" + segments.joined(separator: "/") + (isFolder ? "/" : "")
    }
}

extension String {
    /// Without blanks at both ends, and with one space for blanks inside.
    fileprivate var withSingleSpaces: String {
        utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { Substring($0) }
            .joined(separator: " ")
    }
}

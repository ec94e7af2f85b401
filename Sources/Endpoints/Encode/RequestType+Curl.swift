import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// A curl command that sends this request when it is pasted into a POSIX shell.
    ///
    ///     try GetUser(id: 42).curl(in: .production)
    ///     // curl --globoff --path-as-is \
    ///     //   --url 'https://api.example.com/users/42' \
    ///     //   --header 'Accept: application/json' \
    ///     //   --header "Authorization: $AUTHORIZATION"
    ///
    /// curl sends the same method, URL, declared headers and body. A ``File`` is read from disk.
    /// curl adds headers of its own, such as `User-Agent`. It doesn't follow redirects. The shell
    /// reads secret headers from variables: `Authorization`, `Cookie`, `Proxy-Authorization`, the
    /// policy's ``LoadPolicy/sensitiveHeaders`` and headers whose values are ``Credentials``.
    /// - Parameters:
    ///   - environment: The server.
    ///   - showsCredentials: Whether secret headers are written as they are.
    /// - Throws: An ``EndpointError`` if no request can be made.
    public func curl(
        in environment: Environment, showsCredentials: Bool = false
    ) throws(EndpointError) -> String {
        let urlRequest = try urlRequest(in: environment)
        let policy = policy(in: environment)
        return CurlCommand(urlRequest) { !showsCredentials && policy.isSensitive($0) }.text
    }
}

/// A curl command for a `URLRequest`.
private struct CurlCommand {
    private var arguments: [String] = []
    private var pipe = ""

    init(_ urlRequest: URLRequest, isSecret: (Headers) -> Bool) {
        let method = urlRequest.httpMethod ?? "GET"
        switch method {
        case "GET": break
        case "HEAD": arguments.append("--head")
        default: arguments.append("--request \(method.shellQuoted)")
        }
        // Brackets and braces in a URL are patterns to curl, and it would remove dot segments.
        arguments.append("--globoff --path-as-is")
        arguments.append("--url \((urlRequest.url?.absoluteString ?? "").shellQuoted)")
        let headers = urlRequest.allHTTPHeaderFields ?? [:]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            arguments.append("--header \(Self.header(name, value, isSecret))")
        }
        let names = Set(headers.keys.map(Headers.init(name:)))
        // Headers that curl would add itself.
        if !names.contains(.accept) { arguments.append("--header 'Accept:'") }
        let body = urlRequest.httpBody.flatMap { $0.isEmpty && method == "GET" ? nil : $0 }
        if body != nil || urlRequest.upload != nil, !names.contains(.contentType) {
            arguments.append("--header 'Content-Type:'")
        }
        if let body { add(body) }
        if let upload = urlRequest.upload { add(upload) }
    }

    var text: String { pipe + "curl " + arguments.joined(separator: " \\\n  ") }

    private static func header(_ name: String, _ value: String, _ isSecret: (Headers) -> Bool)
        -> String
    {
        guard !isSecret(Headers(name: name)) else {
            let variable = name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
            return "\"\(name): $\(String(variable))\""
        }
        // A `:` without a value would remove the header; a `;` sends it empty.
        return (value.isEmpty ? "\(name);" : "\(name): \(value)").shellQuoted
    }

    /// Text is passed as an argument, and other bytes through a pipe.
    private mutating func add(_ body: Data) {
        if let text = String(data: body, encoding: .utf8), !text.utf8.contains(0),
            Data(text.utf8) == body
        {
            arguments.append("--data-raw \(text.shellQuoted)")
        } else {
            pipe = "\(Self.printed(body)) | "
            arguments.append("--data-binary @-")
        }
    }

    /// The pieces of an upload are piped one after the other.
    private mutating func add(_ upload: Upload) {
        let commands = upload.pieces.map { piece in
            switch piece {
            case .data(let data): Self.printed(data)
            case .file(let url): "cat \(url.path.shellQuoted)"
            }
        }
        pipe =
            commands.count == 1
            ? "\(commands[0]) | " : "{ \(commands.joined(separator: "; ")); } | "
        arguments.append("--data-binary @-")
    }

    /// A command that prints bytes, those that aren't plain text as escapes.
    private static func printed(_ data: Data) -> String {
        let text = data.enumerated().map { index, byte in
            // `printf` would take a hyphen at the beginning for an option.
            let special = index == 0 ? "-\\%'" : "\\%'"
            let isPlain = (0x20...0x7E).contains(byte) && !special.utf8.contains(byte)
            // Always three digits, so that a digit that follows isn't read as part of the escape.
            return isPlain
                ? String(UnicodeScalar(byte))
                : "\\" + String(0o1000 + Int(byte), radix: 8).dropFirst()
        }
        return "printf '\(text.joined())'"
    }
}

extension String {
    /// The text as one word of a POSIX shell.
    fileprivate var shellQuoted: String {
        "'" + replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}

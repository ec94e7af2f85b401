import Endpoints
import EndpointsShared
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
    /// Here, the environment adds `Authorization`. The command sends the request's method, URL,
    /// headers and body. Files in the body are read when the command runs. curl adds only `Host`,
    /// `Content-Length`, `User-Agent` and, for user info in the URL, `Authorization`. It follows no
    /// redirects.
    ///
    /// Unless `showsCredentials` is `true`, the shell reads secrets from variables: the URL's user
    /// info from `USER_INFO`, and the values of `Authorization`, `Cookie`, `Proxy-Authorization`,
    /// the policy's ``LoadPolicy/sensitiveHeaders``, headers that are ``Credentials``, and headers
    /// with names such as `X-API-Key` and `X-User-Token`. A ``Secret`` in the path is read from
    /// `SECRET`. A second variable of the same name ends in `_2`. The query and the body are always
    /// written as they are, even if they hold secrets.
    /// - Parameters:
    ///   - environment: The server.
    ///   - showsCredentials: Whether secret headers and user info are written as they are.
    /// - Throws: An ``EndpointError`` if no request can be made, if `URLSession` would not send it,
    ///   if its body is an `httpBodyStream` of your own, or if the URL of a file in it isn't a file
    ///   URL.
    public func curl(
        in environment: Environment, showsCredentials: Bool = false
    ) throws(EndpointError) -> String {
        let request = try TransportRequest(of: self, in: environment)
        try request.check()
        let urlRequest = request.urlRequest
        if urlRequest.httpBodyStream != nil, urlRequest.upload == nil {
            let reason = "is an httpBodyStream, which a curl command can't send; use Data or a File"
            throw EndpointError(requestType: "\(Self.self)", field: .body, reason: reason)
        }
        for url in (urlRequest.upload?.pieces ?? []).compactMap(\.file) where !url.isFileURL {
            let error = FileError(.notAFile, at: url)
            throw EndpointError(
                requestType: "\(Self.self)", field: .body, reason: "can't be read: \(error)",
                cause: error)
        }
        let secrets = request.policy.pathSecrets.compactMap(\.pathRepresentation)
        return CurlCommand(urlRequest, hiding: showsCredentials ? nil : secrets) {
            !showsCredentials && request.policy.hides($0)
        }.text
    }
}

extension Upload.Piece {
    fileprivate var file: URL? {
        switch self {
        case .data: nil
        case .file(let url), .range(let url, _): url
        }
    }
}

private struct CurlCommand {
    private var arguments: [String] = []
    /// The variables of the shell, without their `$`.
    private var variables: Set<String> = []
    private var body: String?
    private var pipe = ""

    /// - Parameter pathSecrets: The secrets in the path; `nil` if all secrets are shown.
    init(_ urlRequest: URLRequest, hiding pathSecrets: [String]?, isSecret: (String) -> Bool) {
        let method = HTTPMethod(rawValue: urlRequest.method)
        switch method {
        case .get: break
        case .head: arguments.append("--head")
        default: arguments.append("--request \(method.rawValue.shellQuoted)")
        }
        // By default, curl takes brackets and braces for patterns, and removes dot segments.
        arguments.append("--globoff --path-as-is")
        let url = urlRequest.url?.absoluteString ?? ""
        arguments.append(
            "--url \(pathSecrets.map { shown(url, hiding: $0) } ?? url.shellQuoted)")
        let headers = urlRequest.allHTTPHeaderFields ?? [:]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            arguments.append("--header \(header(name, value, isSecret))")
        }
        // GET and HEAD have no body. For another method without one, curl gets an empty body, so
        // that it sends `Content-Length: 0`.
        if method != .get, method != .head {
            if let upload = urlRequest.upload {
                add(upload)
            } else {
                add(urlRequest.httpBody ?? Data())
            }
        }
        removeDefaults(except: Set(headers.keys.map(Headers.init(name:))))
    }

    /// Makes curl not add an `Accept`, `Content-Type` or `Expect` that the request doesn't have.
    private mutating func removeDefaults(except names: Set<Headers>) {
        let defaults: [(name: Headers, isAdded: Bool)] = [
            (.accept, true), (.contentType, body != nil),
            // Before a body of a megabyte or more, curl would wait for a response with status 100.
            (.expect, !pipe.isEmpty),
        ]
        for (name, isAdded) in defaults where isAdded && !names.contains(name) {
            arguments.append("--header '\(name.name):'")
        }
    }

    var text: String {
        pipe + "curl " + (arguments + [body].compactMap(\.self)).joined(separator: " \\\n  ")
    }

    /// A variable that no other secret has: `$X_API_KEY`, then `$X_API_KEY_2`.
    private mutating func variable(_ name: String) -> String {
        var (variable, number) = (name, 1)
        while !variables.insert(variable).inserted {
            number += 1
            variable = "\(name)_\(number)"
        }
        return "$" + variable
    }

    private mutating func header(
        _ name: String, _ value: String, _ isSecret: (String) -> Bool
    ) -> String {
        guard !isSecret(name) else { return secret(header: name) }
        // To curl, `name:` means to remove the header, and `name;` to send it with an empty value.
        return (value.isEmpty ? "\(name);" : "\(name): \(value)").shellQuoted
    }

    /// A header with a variable for its value, such as `"Authorization: $AUTHORIZATION"`.
    private mutating func secret(header name: String) -> String {
        let isWord = name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
        let letters = name.utf8.map { $0.isAlphanumeric ? String(UnicodeScalar($0)) : "_" }
        // A variable's name can't begin with a digit.
        let isNumber = name.utf8.first?.isDigit == true
        let variable = variable((isNumber ? "_" : "") + letters.joined().uppercased())
        // In double quotes, a shell replaces some characters, such as `$`; single quotes keep them.
        return isWord ? "\"\(name): \(variable)\"" : "\(name): ".shellQuoted + "\"\(variable)\""
    }

    /// A URL in quotes, with the variable `USER_INFO` instead of its user info, and `SECRET`
    /// instead of a secret in its path. Another secret has another variable.
    private mutating func shown(_ url: String, hiding secrets: [String]) -> String {
        let bytes = Array(url.utf8)
        var (start, rest) = ("", url)
        if let userInfo = bytes.userInfo {
            start = String(decoding: bytes[..<userInfo.lowerBound], as: UTF8.self).shellQuoted
            start += "\"\(variable("USER_INFO"))\""
            rest = String(decoding: bytes[userInfo.upperBound...], as: UTF8.self)
        }
        rest = rest.shellQuoted
        var hidden: [String: String] = [:]
        for secret in secrets {
            var quoted = secret.escapedInPath.replacingOccurrences(of: "'", with: #"'\''"#)
            // A short one may be a part of any word.
            if quoted.utf8.count < 6 { quoted = "/" + quoted }
            guard quoted != "/", hidden[quoted] == nil, rest.contains(quoted) else { continue }
            hidden[quoted] = variable("SECRET")
        }
        // A secret may begin with another.
        for (quoted, variable) in hidden.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
            let slash = quoted.hasPrefix("/") ? "/" : ""
            rest = rest.replacingOccurrences(of: quoted, with: "\(slash)'\"\(variable)\"'")
        }
        return start + rest
    }

    /// A short body that is text becomes an argument. Any other body is piped to curl.
    private mutating func add(_ body: Data) {
        // Linux allows 128 KB for an argument.
        if body.count < 100_000, let text = String(data: body, encoding: .utf8),
            !text.utf8.contains(0), Data(text.utf8) == body
        {
            self.body = "--data-raw \(text.shellQuoted)"
        } else {
            pipe = "\(Self.printed(body)) | "
            self.body = "--data-binary @-"
        }
    }

    private mutating func add(_ upload: Upload) {
        let commands = upload.pieces.map { piece in
            switch piece {
            case .data(let data): Self.printed(data)
            case .file(let url): "cat \(url.path.shellQuoted)"
            case .range(let url, let range):
                "tail -c +\(range.lowerBound + 1) \(url.path.shellQuoted) | head -c \(range.count)"
            }
        }
        pipe =
            switch commands.count {
            case 0: "\(Self.printed(Data())) | "
            case 1: "\(commands[0]) | "
            default: "{ \(commands.joined(separator: "; ")); } | "
            }
        body = "--data-binary @-"
    }

    /// A command that prints bytes. Bytes that aren't plain text are written as escapes.
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

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}

extension String {
    fileprivate var shellQuoted: String {
        "'" + replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error in decoding a response.
///
/// The text shows nothing that was received, unless the ``cause`` is an error of yours whose text
/// does. It names the request type and, if the cause is a `DecodingError` that has a place in the
/// content, that place:
///
/// ```text
/// GetUser: the value at `items[0].id` is missing
/// ```
public struct EndpointParseError: Error {
    /// The name of the request type.
    public let requestType: String
    /// Why decoding failed: a `DecodingError`, an error that your own code threw, or one of the
    /// library's own, such as for an empty body or an unreadable line of ``JSONLines``.
    public let cause: any Error

    /// Makes an error about the response to a request type, such as for a test of how your program
    /// shows errors.
    ///
    ///     EndpointParseError(GetUser.self, cause: UnrepresentableValue("…"))
    public init(_ requestType: Any.Type, cause: any Error) {
        self.requestType = "\(requestType)"
        self.cause = cause
    }
}

extension EndpointParseError: CustomStringConvertible, LocalizedError {
    /// One sentence: the request type and what is wrong.
    public var description: String { "\(requestType): \(cause.safeReason)" }
    /// The same text as `description`.
    public var errorDescription: String? { description }

    /// A sentence with the status: `GetUser: the response with status 200 can't be read: …`.
    /// `name` is `the response` or `the error response`.
    func description(naming name: String, _ httpResponse: HTTPURLResponse) -> String {
        let status = httpResponse.statusCode
        let coding = httpResponse.unknownCoding.map {
            "; its Content-Encoding is \($0.quoted), which is not decoded"
        }
        return "\(requestType): \(name) with status \(status) can't be read: \(cause.safeReason)"
            + (coding ?? "")
    }
}

/// The library's own reasons why the content of a response can't be read.
package enum UnreadableContent: ReasonedError {
    /// There is no content, but the response type needs some.
    case none
    case unknownCharset
    /// Text that isn't valid in the response's charset.
    case malformed
    /// A property list that the decoder can't read safely: it may have so many lists in each other.
    case deepLists(most: Int)

    var reason: String {
        switch self {
        case .none: "there is no content; declare the Response as an optional or as Void"
        case .unknownCharset:
            "the charset is not supported; declare Data instead of String and decode it yourself"
        case .malformed:
            "the text is not valid in its charset (UTF-8 unless the response names another); "
                + "declare Data instead of String and decode it yourself"
        case .deepLists(let most):
            """
            the property list has more than \(most) lists in each other, or \
            one that contains itself or the same value too often
            """
        }
    }
}

/// Why a value can't be written as text, such as a number that isn't finite.
///
/// Throw it from your own ``PathRepresentable/pathRepresentation``. The library makes an
/// ``EndpointError`` of it, whose text shows the reason. So the reason must not show the value,
/// which may be a secret.
public struct UnrepresentableValue: ReasonedError, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, such as `the number is not finite; use a finite one`.
    public let reason: String

    /// Makes an error that says what is wrong and what to do.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// Makes an error about a value inside an encoded value, which also says where it is.
    package init(_ reason: String, at codingPath: some Sequence<any CodingKey>) {
        self.init("\(Array(codingPath).place), \(reason)")
    }

    /// The same text as ``reason``.
    public var description: String { reason }
}

extension EndpointParseError {
    /// What is wrong, without the request type.
    public var failureReason: String? { cause.safeReason }
    /// What a person can do: what the ``cause`` says, or else to update the app.
    public var recoverySuggestion: String? {
        (cause as? any LocalizedError)?.recoverySuggestion
            ?? "Update the app: the server sends something that this version can't read."
    }
}

extension EndpointParseError: CustomNSError {
    /// `Endpoints.EndpointParseError`.
    public static var errorDomain: String { "Endpoints.EndpointParseError" }

    /// 1 for a missing key, 2 for a missing value (`null`, or a list that ends too early), 3 for a
    /// value of a wrong type, 4 for content or a value that the decoder finds invalid, such as a
    /// date, and 0 for a ``cause`` that isn't a `DecodingError`.
    public var errorCode: Int {
        switch cause as? DecodingError {
        case .keyNotFound: 1
        case .valueNotFound: 2
        case .typeMismatch: 3
        case .dataCorrupted: 4
        default: 0
        }
    }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension UnrepresentableValue: CustomNSError {
    /// `Endpoints.UnrepresentableValue`.
    public static var errorDomain: String { "Endpoints.UnrepresentableValue" }
}

extension URLError {
    /// Keeps the `Content-Encoding` of the response, if the client doesn't know it.
    func naming(codingOf response: URLResponse?) -> URLError {
        guard code == .cannotDecodeContentData,
            let coding = (response as? HTTPURLResponse)?.unknownCoding
        else { return self }
        return URLError(code, userInfo: userInfo.merging(["EndpointsCoding": coding]) { $1 })
    }
}

extension HTTPURLResponse {
    /// The `Content-Encoding`, if it isn't one that clients decompress (RFC 9110, section 8.4.1);
    /// `nil` also for a text that can't be a list of codings. Some servers send a charset there, or
    /// S3's `aws-chunked`.
    var unknownCoding: String? {
        guard let text = value(forHTTPHeaderField: "Content-Encoding"), text.utf8.count <= 60
        else { return nil }
        let codings = text.split(separator: ",").map { $0.lowercased().trimmingBlanks }
        let known: Set = ["", "identity", "gzip", "x-gzip", "deflate", "br", "zstd", "compress"]
        let isList = codings.allSatisfy {
            $0.utf8.allSatisfy {
                $0.isDigit || "-_.".utf8.contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
        }
        return isList && !known.isSuperset(of: codings) ? codings.joined(separator: ", ") : nil
    }
}

extension Fault {
    /// How a load ends: a response or a `TaskError`, and its text.
    struct Outcome: Equatable, Sendable {
        /// `response`, or the name of the error's case.
        let ending: String
        /// The text of the response, or of the error and a readable error response.
        let text: String

        static func response(_ text: String) -> Self {
            Self(ending: "response", text: text)
        }

        static func urlLoadError(_ cause: String) -> Self {
            Self(ending: "urlLoadError", text: "The load failed: \(cause)")
        }

        static func unexpectedResponse(_ status: Int) -> Self {
            Self(
                ending: "unexpectedResponse",
                text:
                    "The server responded with status \(status)"
                    + ((400..<600).contains(status)
                        ? " and an empty body"
                        : ", which is neither a success nor an error"))
        }

        static func errorResponse(_ status: Int, _ problem: String) -> Self {
            Self(
                ending: "errorResponse",
                text: "The server responded with an error, status \(status): \(problem)")
        }

        static func responseParseError(_ cause: String, status: Int = 200) -> Self {
            Self(
                ending: "responseParseError",
                text: "GetThing: the response with status \(status) can't be read: \(cause)")
        }

        static func errorResponseParseError(_ status: Int, _ cause: String) -> Self {
            Self(
                ending: "errorResponseParseError",
                text: "GetThing: the error response with status \(status) can't be read: \(cause)")
        }
    }
}

extension Fault.Outcome {
    /// `URLSession` itself stops the process.
    static let stop = Self(ending: "trap", text: "FoundationNetworking stops the process")

    static let fine = response("Thing(ok: true)")
    static let named = response("Thing(name: café)")
    static let notJSON = responseParseError("the content is not valid")
    /// libcurl doesn't know the coding.
    static let undecoded = urlLoadError("the content can't be decompressed (URLError -1016)")

    static func notText(at member: String) -> Self {
        responseParseError("the value at `\(member)` is not valid")
    }

    static func notDouble(at member: String) -> Self {
        responseParseError(
            "the value at `\(member)` is not a number that fits in Double; "
                + "declare a type that holds it")
    }

    static let notObject = responseParseError("the value at the top is not an object")
    static let notText = Self(
        ending: "responseParseError",
        text:
            "GetText: the response with status 200 can't be read: the text is not valid in its "
            + "charset (UTF-8 unless the response names another); "
            + "declare Data instead of String and decode it yourself")
    static let unknownCharset = Self(
        ending: "responseParseError",
        text: "GetText: the response with status 200 can't be read: the charset is not supported; "
            + "declare Data instead of String and decode it yourself")

    static func errorNotJSON(_ status: Int) -> Self {
        errorResponseParseError(status, "the content is not valid")
    }

    static func empty(_ status: Int) -> Self {
        responseParseError(
            "there is no content; declare the Response as an optional or as Void", status: status)
    }

    /// A head that breaks the grammar of HTTP, or that only the platform doesn't read.
    static let unreadableHead = urlLoadError(
        "the response's head is not valid HTTP, or URLSession on Linux doesn't read it: it wants "
            + "UTF-8, lines that end with CR LF, and a space after the status (URLError -1017)")
    static let longHead = urlLoadError(
        "the response's header fields are longer than URLSession reads on Linux, 300 KB "
            + "(URLError -1017)")
    static let longFields = urlLoadError(
        "the URL and header fields of the request, or a line of the response's head, are longer "
            + "than URLSession sends or reads on Linux: 1 MB, and some 100 KB (URLError -1)")
    static let notCoded = urlLoadError("the content can't be decompressed (URLError -1015)")
    static let notHTTP = urlLoadError("the server's response is not valid HTTP (URLError -1017)")
    static let tooLate = urlLoadError("it took too long (URLError -1001)")
    static let lost = urlLoadError("the connection was lost (URLError -1005)")
    static let badLocation = urlLoadError(
        "the server redirects to a URL that isn't valid or has user info (URLError -1010)")
    static let tooManyRedirects = urlLoadError(
        "there are too many redirects; set a higher redirectLimit in LoadPolicy, unless the server "
            + "redirects in a circle (URLError -1007)")
    static let unsupportedURL = urlLoadError(
        "the URL of the request or of a redirect must be http or https, with a host and valid port (URLError -1002)"
    )
}

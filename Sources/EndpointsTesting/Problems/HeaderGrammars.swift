import Endpoints
import Foundation

// What the text of a header must be.

extension Problems {
    private static let token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"

    /// What a header must be: its name, its pattern, and what is wrong without it (RFC 9110,
    /// sections 5.6.7, 8.8.3, 11.4, 12.5.4, 13.1, 14.2 and 14.4; RFC 9111, section 5.2; RFC 6265,
    /// section 4.2.1).
    private static let grammars: [(names: [Headers], pattern: String, reason: String)] = {
        let tag = #"(W/)?"[^\x00-\x20"\x7F]*""#
        let bytes = #"(\d+-\d*|-\d+)"#
        let language =
            #"(\*|[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)([ \t]*;[ \t]*q=[01](\.\d{0,3})?)?"#
        let pair = #"[^\s=;,"]+=[^\s;,]*"#
        let scheme = "(?i:bearer|basic|digest|token|apikey)"
        let directive = #"\#(token)(=(\#(token)|"(\\.|[^"\\])*"))?"#
        return [
            (
                [.ifMatch, .ifNoneMatch], #"\*|\#(tag)([ \t]*,[ \t]*\#(tag))*"#,
                "isn't `*` or a list of entity tags; write one such as `\"abc\"`, with its quotes"
            ),
            (
                [.range],
                #"bytes=\#(bytes)([ \t]*,[ \t]*\#(bytes))*|(?!bytes=)\#(token)=.+"#,
                "isn't a unit and a range; write them as in `bytes=0-99`"
            ),
            (
                ["Content-Range"], #"\#(token) (\d+-\d+|\*)/(\d+|\*)"#,
                "isn't a unit, a range and a length; write them as in `bytes 0-99/200`"
            ),
            (
                [.date, .ifModifiedSince, .ifUnmodifiedSince, "Expires", "Last-Modified"],
                #"[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT"#,
                "isn't an HTTP date; declare a Date with `format: .httpDate`"
            ),
            (
                [.acceptLanguage, "Content-Language"],
                #"\#(language)([ \t]*,[ \t]*\#(language))*"#,
                """
                isn't a list of languages; write them with `-` inside and commas between them, as \
                in `de-DE, en;q=0.5`
                """
            ),
            (
                [.cookie], #"\#(pair)(;[ \t]*\#(pair))*"#,
                "isn't a list of cookies; write them with `; ` between them, as in `a=1; b=2`"
            ),
            (
                [.authorization],
                #"(?!\#(scheme):?$)(?![A-Za-z-]+:[ \t])(?!(?i:basic) [^ ]*:).+"#,
                "isn't a scheme and what belongs to it; declare Credentials, such as `.bearer(token)`"
            ),
            (
                [.cacheControl], #"\#(directive)([ \t]*,[ \t]*(\#(directive))?)*"#,
                """
                isn't a list of directives; write them with commas between them, as in \
                `no-cache, max-age=0`
                """
            ),
        ]
    }()

    mutating func addGrammarWarning(_ name: Headers, _ value: String) {
        guard let grammar = Self.grammars.first(where: { $0.names.contains(name) }),
            value.range(of: "^(\(grammar.pattern))$", options: .regularExpression) == nil,
            !hasError(.header(name.name))
        else { return }
        add(.header(name.name), grammar.reason)
    }

    /// `type/subtype`, with or without parameters, whose values are tokens or quoted strings (RFC
    /// 9110, sections 5.6.2, 5.6.4, 5.6.6 and 8.3.1).
    private static let mediaType: String = {
        let parameter = #"\#(token)=(\#(token)|"(\\.|[^"\\])*")"#
        return "[ \t]*\(token)/\(token)[ \t]*(;[ \t]*(\(parameter)[ \t]*)?)*"
    }()

    /// Warns about a `Content-Type` that isn't a media type, and about an `Accept` that isn't a
    /// list of media types (RFC 9110, sections 8.3.1 and 12.5.1).
    mutating func addMediaTypeWarning(_ name: Headers, _ value: String) {
        let pattern: String
        switch name {
        case .contentType: pattern = "^\(Self.mediaType)$"
        case .accept: pattern = "^\(Self.mediaType)(,\(Self.mediaType))*$"
        default: return
        }
        guard value.range(of: pattern, options: .regularExpression) == nil,
            !hasError(.header(name.name))
        else { return }
        add(
            .header(name.name),
            "has an invalid media type; write one such as `application/json`")
    }
}

import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request whose response is one page of several.
///
///     struct ListRepos: FlatRequest, PagedRequest {
///         let owner: String
///         static let endpoint = Endpoint<Self>(
///             method: .get, path: "users/\(path: \.owner)/repos")
///         static let paging = Paging<Self>.link()    // Link: <…>; rel="next"
///         typealias Response = [Repo]
///     }
///
///     for try await repo in api.items(of: ListRepos(owner: "ann")) { print(repo) }
public protocol PagedRequest<Item>: RequestType {
    /// The type of the items on a page.
    associatedtype Item

    /// How the next page is requested.
    static var paging: Paging<Self> { get }

    /// The items of a page; by default, the elements of a response that is a sequence.
    ///
    /// Return all of them, and filter in the loop: `Paging.offset` counts them, and a page without
    /// items is the last one for `Paging.page` and `Paging.offset`.
    static func items(in response: Response) -> [Item]
}

extension PagedRequest {
    /// A response that isn't a sequence needs a function that says where its items are.
    @available(
        *, unavailable,
        message:
            "write `static func items(in response: Response) -> [Item]`, with the type of an item"
    )
    @_disfavoredOverload
    public static func items(in response: Response) -> [Response] { [] }
}

extension PagedRequest where Response: Sequence {
    /// The elements of the response.
    public static func items(in response: Response) -> [Response.Element] { Array(response) }
}

/// How the next page is requested.
///
///     static let paging = Paging<ListUsers>.link()
///     static let paging = Paging<ListUsers>.cursor(\.cursor) { $0.nextCursor }
///     static let paging = Paging<ListUsers>.page(\.page)
public struct Paging<Request: PagedRequest>: Sendable {
    struct Page {
        let request: Request
        let response: Request.Response
        let data: Data
        let httpResponse: HTTPURLResponse
    }

    enum Next {
        /// The request for the next page. Its key, such as a cursor, tells whether the page was
        /// loaded before. If it is `nil`, the key is the `URLRequest` with its headers and body.
        case request(Request, key: AnyHashable?)
        case url(URL)
        /// The next page can't be requested.
        case wrong(EndpointError)
        case none
    }

    let next: @Sendable (Page) -> Next
    /// The key of the first page, such as its cursor; `nil` if the first page has no key.
    let firstKey: @Sendable (Request) -> AnyHashable?

    /// What can't be meant; `nil` if nothing is wrong.
    package let wrong: WrongSetting?

    private init(
        wrong: WrongSetting? = nil,
        firstKey: @escaping @Sendable (Request) -> AnyHashable? = { _ in nil },
        next: @escaping @Sendable (Page) -> Next
    ) {
        self.wrong = wrong
        self.firstKey = firstKey
        self.next = next
    }

    /// The next page is at the URL with this `rel` in the response's `Link` header (RFC 8288).
    ///
    /// ```text
    /// Link: <https://api.example.com/users?page=2>; rel="next"
    /// ```
    ///
    /// The URL is used as it is: declared query items aren't added. A page without such a link is
    /// the last one. A link whose URL isn't usable, such as one with user info, ends the loop with
    /// an `.endpointError`, and so does a `rel` that no link has: an empty one, one with a space or
    /// a quotation mark, and one with `=`, `,` or `;` that isn't a URL.
    public static func link(rel: String = "next") -> Paging {
        let isRelation =
            !rel.isEmpty && !rel.contains { $0.isWhitespace || $0 == "\"" }
            && (rel.contains(":") || !rel.contains { "=,;".contains($0) })
        let wrong = WrongSetting(
            "Paging.link(rel: \"\(rel)\")", in: .property("paging"), unless: isRelation,
            "write one relation, such as `next`")
        return Paging(wrong: wrong) { page in
            let links = page.httpResponse.links(includingUnusable: true)
            let link = links.filter { $0.url != WebLink.unusable }[rel: rel] ?? links[rel: rel]
            return link.map { .url($0.url) } ?? .none
        }
    }

    /// The next page is at a URL in the response, which may be relative to the page's own URL. A
    /// page without this URL, or with an empty one, is the last one. Declared query items aren't
    /// added to it.
    ///
    ///     static let paging = Paging<ListUsers>.url { $0.next }   // let next: String?
    ///     // {"next": "https://api.example.com/users?page[after]=a%2Fb", "users": […]}
    ///
    /// Characters that a URL can't have, such as `[`, are escaped, and existing escapes are kept,
    /// as in a `Link` header. A URL that isn't usable, such as one with user info, ends the loop
    /// with an `.endpointError`.
    @_disfavoredOverload
    public static func url(
        _ text: @escaping @Sendable (Request.Response) -> String?
    ) -> Paging {
        Paging { page in
            guard let text = text(page.response), !text.isEmpty else { return .none }
            return .url(URL(reference: text, at: page.httpResponse.url) ?? WebLink.unusable)
        }
    }

    /// The next page is at a URL in the response, as for a `String`.
    ///
    /// Prefer a `String`. A `URL` that was made of a text with characters that a URL can't have, as
    /// `JSONDecoder` makes it, has its escapes escaped a second time: `?page[after]=a%2Fb` becomes
    /// `?page%5Bafter%5D=a%252Fb`. If the body shows that, the URL in the body is used.
    public static func url(
        _ url: @escaping @Sendable (Request.Response) -> URL?
    ) -> Paging {
        Paging { page in
            guard let url = url(page.response) else { return .none }
            let base = url.baseURL ?? page.httpResponse.url
            let text = url.escapedTwice(since: page.data) ?? url.relativeString
            return .url(URL(reference: text, at: base) ?? WebLink.unusable)
        }
    }

    /// The next page is requested with a cursor from the response.
    ///
    ///     static let paging = Paging<ListUsers>.cursor(\.cursor) { $0.nextCursor }
    ///     // {"nextCursor": "abc", "users": […]}
    ///
    /// A page without a cursor, or with an empty one, is the last one.
    public static func cursor<Cursor: Hashable & SendableMetatype>(
        _ property: WritableKeyPath<Request, Cursor?> & Sendable,
        next: @escaping @Sendable (Request.Response) -> Cursor?
    ) -> Paging {
        Paging(
            firstKey: { request in request[keyPath: property].map(AnyHashable.init) },
            next: { page in
                guard let cursor = next(page.response),
                    (cursor as? any Collection)?.isEmpty != true
                else { return .none }
                var request = page.request
                request[keyPath: property] = cursor
                return .request(request, key: cursor)
            })
    }

    /// The next page has the next page number. A page without items is the last one. A next
    /// number that doesn't fit in `Int` ends the loop with an `.endpointError`.
    public static func page(_ property: WritableKeyPath<Request, Int> & Sendable) -> Paging {
        Paging { page in
            page.advancing(from: page.request[keyPath: property], by: 1) { request, number in
                request[keyPath: property] = number
            }
        }
    }

    /// The next page's offset is the offset of this page plus the number of its items. A page
    /// without items is the last one. A next offset that doesn't fit in `Int` ends the loop with an
    /// `.endpointError`.
    public static func offset(_ property: WritableKeyPath<Request, Int> & Sendable) -> Paging {
        Paging { page in
            let count = Request.items(in: page.response).count
            return page.advancing(from: page.request[keyPath: property], by: count) {
                request, offset in request[keyPath: property] = offset
            }
        }
    }

    /// The next page's offset, as for an `Int`. A page without an offset began at 0.
    public static func offset(_ property: WritableKeyPath<Request, Int?> & Sendable) -> Paging {
        Paging { page in
            let count = Request.items(in: page.response).count
            return page.advancing(from: page.request[keyPath: property] ?? 0, by: count) {
                request, offset in request[keyPath: property] = offset
            }
        }
    }

    /// A function of yours makes the request for the next page from a page's request and response.
    /// It returns `nil` after the last page.
    public static func next(
        _ next: @escaping @Sendable (Request, Request.Response) -> Request?
    ) -> Paging {
        Paging { page in
            next(page.request, page.response).map { .request($0, key: nil) } ?? .none
        }
    }
}

extension URL {
    /// The text of this URL in a body, if `URL` has escaped it a second time; otherwise `nil`.
    ///
    /// `URL` does so to a path or a query with a character that it can't have: it escapes each `%`
    /// there, too. Only the body tells such a URL from one whose value has escapes of its own.
    fileprivate func escapedTwice(since body: Data) -> String? {
        let written = relativeString
        guard written.hasEscapedEscape else { return nil }
        let body = String(decoding: body, as: UTF8.self).withoutJSONEscapes
        guard !body.contains(written) else { return nil }
        let query = written.firstIndex(of: "?") ?? written.endIndex
        let (start, end) = (String(written[..<query]), String(written[query...]))
        guard let rawStart = start.removingPercentEncoding,
            let rawEnd = end.removingPercentEncoding
        else { return nil }
        return [start + rawEnd, rawStart + end, rawStart + rawEnd].first(where: body.contains)
    }
}

extension String {
    /// Whether there is an escape whose `%` is escaped: `%25` before two hexadecimal digits.
    fileprivate var hasEscapedEscape: Bool {
        components(separatedBy: "%25").dropFirst().contains {
            $0.utf8.prefix(2).count { Character(Unicode.Scalar($0)).isHexDigit } == 2
        }
    }

    /// The text of JSON with the characters that its escapes stand for.
    fileprivate var withoutJSONEscapes: String {
        var parts = components(separatedBy: "\\")[...]
        // An emoji is two escapes, of UTF-16.
        var text = Array((parts.popFirst() ?? "").utf16)
        for part in parts {
            // The second of two `\`, or what follows an escape such as `\/`.
            guard part.first == "u", let code = UInt16(part.dropFirst().prefix(4), radix: 16) else {
                text += part.utf16
                continue
            }
            text.append(code)
            text += part.dropFirst(5).utf16
        }
        return String(decoding: text, as: UTF16.self)
    }
}

extension Paging.Page {
    fileprivate func advancing(
        from number: Int, by count: Int, _ set: (inout Request, Int) -> Void
    ) -> Paging.Next {
        let (sum, overflows) = number.addingReportingOverflow(count)
        guard !Request.items(in: response).isEmpty else { return .none }
        guard !overflows else {
            let reason = """
                has no page after the number \(number), as a larger one doesn't fit in Int; begin \
                with a smaller number
                """
            let error = EndpointError(
                requestType: "\(Request.self)", field: .property("paging"), reason: reason)
            return .wrong(error)
        }
        var request = request
        set(&request, sum)
        return .request(request, key: sum)
    }
}

extension Paging {
    /// `.cursor(\.cursor)` doesn't compile for a constant: the next page's request gets its own.
    @available(*, unavailable, message: "declare the cursor's property with `var`")
    @_disfavoredOverload
    public static func cursor<Cursor: Hashable & SendableMetatype>(
        _ property: KeyPath<Request, Cursor?> & Sendable,
        next: @escaping @Sendable (Request.Response) -> Cursor?
    ) -> Paging { Paging { _ in .none } }

    /// `.page(\.page)` doesn't compile for a constant: the next page's request gets its own.
    @available(*, unavailable, message: "declare the page's property with `var`")
    @_disfavoredOverload
    public static func page(_ property: KeyPath<Request, Int> & Sendable) -> Paging {
        Paging { _ in .none }
    }

    /// `.page(\.page)` doesn't compile for an optional: whether `nil` is page 0 or 1 isn't known.
    @available(
        *, unavailable,
        message: "declare the page's property as an Int with its first number, as in `var page = 1`"
    )
    @_disfavoredOverload
    public static func page(_ property: KeyPath<Request, Int?> & Sendable) -> Paging {
        Paging { _ in .none }
    }

    /// `.offset(\.offset)` doesn't compile for a constant: the next page's request gets its own.
    @available(*, unavailable, message: "declare the offset's property with `var`")
    @_disfavoredOverload
    public static func offset(_ property: KeyPath<Request, Int> & Sendable) -> Paging {
        Paging { _ in .none }
    }

    /// `.offset(\.offset)` doesn't compile for a constant: the next page's request gets its own.
    @available(*, unavailable, message: "declare the offset's property with `var`")
    @_disfavoredOverload
    public static func offset(_ property: KeyPath<Request, Int?> & Sendable) -> Paging {
        Paging { _ in .none }
    }
}

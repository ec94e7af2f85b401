import Foundation

/// The `Location` header of a redirect: a URL reference, resolved against the URL of the request
/// (RFC 9110 10.2.2).
///
///     /b?x=é        at https://h/a#top   ->  https://h/b?x=%C3%A9#top
///     HTTP://other  at https://h/a       ->  http://other
struct Location {
    let text: String

    /// The URL that the redirect leads to from a request at `base`.
    ///
    /// - Throws: A `URLError`: `.unsupportedURL` if the scheme isn't http or https;
    ///   `.redirectToNonExistentLocation` if the text isn't a valid URL reference, if it has
    ///   control characters, user info or a host with percent escapes, or if the resolved URL has
    ///   a bad port or no host.
    func url(at base: URL) throws(URLError) -> URL {
        guard let target = URL(reference: text, at: base) else { throw .badLocation }
        guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { throw URLError(.unsupportedURL, at: target) }
        guard Origin(of: target) != nil,
            let url = URL(string: scheme + target.absoluteString.dropFirst(scheme.utf8.count))
        else { throw .badLocation }
        return url.inheritingFragment(of: base)
    }
}

extension URL {
    /// This URL. If it has no fragment, it gets the fragment of `base` (RFC 9110 10.2.2).
    fileprivate func inheritingFragment(of base: URL) -> URL {
        guard fragment == nil, let mark = base.absoluteString.firstIndex(of: "#")
        else { return self }
        return URL(string: absoluteString + base.absoluteString[mark...]) ?? self
    }
}

extension URLError {
    package init(_ code: Code, at url: URL?) {
        self.init(code, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
    }

    /// The error for a `Location` that isn't valid. It leaves out the text, which may be secret.
    fileprivate static var badLocation: URLError { URLError(.redirectToNonExistentLocation) }
}

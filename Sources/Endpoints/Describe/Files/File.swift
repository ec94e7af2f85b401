import Foundation

/// A file that a request sends, as its whole body or as a part of a form.
///
///     struct SetAvatar: FlatRequest {
///         let body: File
///         static let endpoint = Endpoint<Self>(method: .put, path: "avatar")
///         typealias Response = Void
///     }
///     // SetAvatar(body: File(photo))   ->   Content-Type: image/jpeg, Content-Length: 48213
///
/// A file on disk is read while it is sent, and never into memory as a whole. It is opened when it
/// is sent: a missing file is a ``FileError`` of the load, and so is one whose length changes
/// meanwhile.
public struct File: Sendable, Hashable {
    /// Where the bytes are.
    enum Content: Sendable, Hashable {
        case disk(URL)
        case memory(Data)
    }

    let content: Content
    /// The file's name in a form.
    public let name: String
    /// The media type of the bytes.
    public let contentType: MIMEType

    /// A file on disk.
    ///
    ///     File(URL(fileURLWithPath: "photos/a.png"))                      // image/png
    ///     File(URL(fileURLWithPath: "photos/a.log"), contentType: .csv)   // text/csv
    ///
    /// Without a type it has that of the name's extension, or `application/octet-stream` if the
    /// extension isn't known.
    /// - Parameter name: The name in a form; by default the last component of the URL.
    public init(_ url: URL, name: String? = nil, contentType: MIMEType? = nil) {
        content = .disk(url)
        self.name = name ?? url.lastPathComponent
        self.contentType = contentType ?? MIMEType(fileName: name ?? url.lastPathComponent)
    }

    /// A file whose bytes are in memory.
    ///
    ///     File(data, name: "chart.svg")   // image/svg+xml
    ///
    /// Without a type it has that of the name's extension, or `application/octet-stream` if the
    /// extension isn't known.
    /// - Parameter name: The name in a form. A browser sends `blob` for bytes without a name.
    public init(_ data: Data, name: String = "blob", contentType: MIMEType? = nil) {
        content = .memory(data)
        self.name = name
        self.contentType = contentType ?? MIMEType(fileName: name)
    }
}

extension File: Encodable {
    /// Throws, because a file isn't a value in another one: it is a whole body or a part.
    public func encode(to encoder: any Encoder) throws {
        throw UnrepresentableValue(
            "a File can't be inside another value; send it as the body, by `.part(…)` or in a Multipart"
        )
    }
}

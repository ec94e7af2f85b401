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
/// A file on disk is opened and read while it is sent, and is never in memory as a whole. If it
/// can't be read, or its length changes while it is sent, the load ends with a ``FileError``.
public struct File: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case disk(URL)
        case memory(Data)
    }

    let content: Content
    /// The file name that a multipart form sends, as in `filename="a.png"`.
    public let name: String
    /// The media type of the bytes.
    public let contentType: MIMEType

    /// A file on disk.
    ///
    ///     File(URL(fileURLWithPath: "photos/a.png"))                      // image/png
    ///     File(URL(fileURLWithPath: "photos/a.log"), contentType: .csv)   // text/csv
    ///
    /// The default of `name`, the file name in a multipart form, is the last component of the URL.
    /// The default of `contentType` is the media type for the name's extension, or
    /// `application/octet-stream` if the extension isn't known.
    public init(_ url: URL, name: String? = nil, contentType: MIMEType? = nil) {
        content = .disk(url)
        self.name = name ?? url.lastPathComponent
        self.contentType = contentType ?? MIMEType(fileName: name ?? url.lastPathComponent)
    }

    /// A file whose bytes are in memory.
    ///
    ///     File(data, name: "chart.svg")   // image/svg+xml
    ///
    /// The default of `name`, the file name in a multipart form, is `blob`. The default of
    /// `contentType` is the media type for the name's extension, or `application/octet-stream` if
    /// the extension isn't known.
    public init(_ data: Data, name: String = "blob", contentType: MIMEType? = nil) {
        content = .memory(data)
        self.name = name
        self.contentType = contentType ?? MIMEType(fileName: name)
    }
}

extension File: Encodable {
    /// Throws, because a file can't be inside another value: it is a whole body or a form's part.
    public func encode(to encoder: any Encoder) throws {
        throw UnrepresentableValue(
            """
            a File can't be written by an encoder; send it as the whole body, as a `.part(…)` \
            without `encoding:`, or as a `.file(…)` in a Multipart
            """
        )
    }
}

/// A value that is sent as files of a form: a ``File``, `Data`, and optionals and arrays of these.
///
///     .part("photos", path: \.photos)   // photos: [File]   ->   a part for each file
///
/// `Data` is sent with the file name `blob`, as browsers do, because servers read a part without a
/// file name as text. Use a ``File`` to choose another file name.
public protocol FileRepresentable: SendableMetatype {
    /// The value's files; an empty list leaves the part out.
    var fileRepresentation: [File] { get throws }
}

extension File: FileRepresentable {
    /// A list with only this file.
    public var fileRepresentation: [File] { [self] }
}

extension Data: FileRepresentable {
    /// The bytes as a file named `blob`.
    public var fileRepresentation: [File] { [File(self)] }
}

extension Optional: FileRepresentable where Wrapped: FileRepresentable {
    /// The wrapped value's files; an empty list for `nil`.
    public var fileRepresentation: [File] {
        get throws { try self?.fileRepresentation ?? [] }
    }
}

extension Array: FileRepresentable where Element: FileRepresentable {
    /// The elements' files.
    public var fileRepresentation: [File] {
        get throws { try flatMap { try $0.fileRepresentation } }
    }
}

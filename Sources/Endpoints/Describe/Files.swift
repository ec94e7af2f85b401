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
        case range(URL, Range<Int64>)
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

    /// A part of a file on disk, such as what a server hasn't got yet of a large one.
    ///
    ///     File(video, range: 1_048_576..<2_097_152)   // Content-Length: 1048576
    ///
    /// The file may grow while the part is sent. If the file ends before the part does, the load
    /// ends with a ``FileError``. The defaults of `name` and `contentType` are those of a whole
    /// file.
    public init(
        _ url: URL, range: Range<Int64>, name: String? = nil, contentType: MIMEType? = nil
    ) {
        content = .range(url, range)
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

/// A body of parts, such as text fields and files (RFC 7578).
///
///     struct AddPhoto: FlatRequest {
///         let body: Multipart
///         static let endpoint = Endpoint<Self>(method: .post, path: "photos")
///         typealias Response = Photo
///     }
///     // AddPhoto(body: [.text("title", "Sea"), .file("photo", File(url))])
///     //   ->  Content-Type: multipart/form-data; boundary=…
///
/// Use a `Multipart` if the parts are known only at run time. Otherwise, declare the parts with
/// ``Parameter/part(_:path:style:)``.
///
/// In a name and a file name, `"` is sent as `%22`, CR as `%0D` and LF as `%0A`, as browsers escape
/// them; not every server decodes these escapes. A `\` is sent unchanged; some servers remove it. A
/// name or file name that is empty or ends in `\` is an ``EndpointError``, because servers drop
/// such parts. The files are read while they are sent, but the length of the body is known
/// beforehand.
public struct Multipart: Sendable, ExpressibleByArrayLiteral {
    /// The parts, in the order in which they are sent.
    public var parts: [Part]
    /// The text between the parts.
    public let boundary: String

    /// A body of parts. The text between them is `boundary`, or a random one.
    ///
    /// Making the `URLRequest` throws an ``EndpointError`` if the boundary isn't 1 to 70 ASCII
    /// letters, digits, `-` and `_` (RFC 2046, section 5.1.1, allows more characters), or if a
    /// part's content has the boundary in it. Files on disk aren't searched.
    public init(_ parts: [Part], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary ?? Self.randomBoundary()
    }

    /// A body of parts, with a random boundary.
    public init(arrayLiteral parts: Part...) {
        self.init(parts)
    }

    /// 32 random letters and digits (190 bits), so that no file has them by chance.
    private static func randomBoundary() -> String {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<32).map { _ in characters[Int.random(in: characters.indices)] })
    }
}

extension Multipart {
    /// One part of a body.
    public struct Part: Sendable {
        enum Content: Sendable {
            case text(String, MIMEType?)
            case file(File)
            case value(any Encodable & Sendable)
        }

        let name: String
        let content: Content

        /// A text, which is sent without a `Content-Type`.
        public static func text(_ name: String, _ text: String) -> Part {
            Part(name: name, content: .text(text, nil))
        }

        /// A part with a file. It has the ``File``'s file name and media type.
        public static func file(_ name: String, _ file: File) -> Part {
            Part(name: name, content: .file(file))
        }

        /// Bytes, as a file.
        ///
        /// The file name is `blob` by default, as in browsers, because servers read a part without
        /// a file name as text.
        public static func data(
            _ name: String, _ data: Data, fileName: String = "blob", contentType: MIMEType? = nil
        ) -> Part {
            .file(name, File(data, name: fileName, contentType: contentType))
        }

        /// A value, encoded by the request's ``RequestType/bodyEncoder-swift.property``, with the
        /// encoder's media type.
        public static func value(_ name: String, _ value: some Encodable & Sendable) -> Part {
            Part(name: name, content: .value(value))
        }
    }
}

extension Multipart: Encodable {
    /// Throws, because a multipart form is a whole body and can't be inside another value.
    public func encode(to encoder: any Encoder) throws {
        throw UnrepresentableValue("a Multipart can't be inside another value; send it as the body")
    }
}

import Foundation

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

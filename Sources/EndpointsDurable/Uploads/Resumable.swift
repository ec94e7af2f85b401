import Endpoints

/// A request that sends a file in pieces, so that it goes on where it was after a lost connection,
/// a quit or a crash.
///
///     struct AddFilm: FlatRequest, ResumableRequest {
///         let body: File
///         static let endpoint = Endpoint<Self>(method: .post, path: "files")
///         static let uploading = Resumable.tus
///         typealias Response = Void
///     }
///
///     try await api.upload(AddFilm(body: File(video)), keepingStateIn: folder).response()
///
/// The declaration says where an upload begins, with which headers, and what the last response
/// means. It can still be sent as one request, as any other.
public protocol ResumableRequest: RequestType, Sendable where Body == File {
    /// How the server takes a file in pieces.
    static var uploading: Resumable { get }
}

/// How a server takes a file in pieces.
public struct Resumable: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case ietf
        case tus(lanes: Int)
        case s3(lanes: Int)
    }

    let kind: Kind
    /// The most bytes of one request.
    let chunkSize: Int64

    /// What stands for the protocol in a state's name.
    var name: String {
        switch kind {
        case .tus: "tus"
        case .ietf: "ietf"
        case .s3: "s3"
        }
    }

    /// tus 1.0.0, with the extensions creation, checksum, concatenation, expiration and termination
    /// (https://tus.io/protocols/resumable-upload). A request has 16 MB of the file.
    ///
    ///     static let uploading = Resumable.tus   // POST files, then PATCH to the URL it names
    ///
    /// Before a new upload, the server is asked by OPTIONS what it takes: pieces are sent with a
    /// checksum if it checks them, and a file that is too large isn't sent.
    ///
    /// The request is declared with the method POST and the path at which uploads are created. The
    /// server gets the file's name and media type as `filename` and `filetype` of its metadata. Its
    /// last response, often a 204, is the request's response, so that is mostly `Void`. The
    /// `httpResponse` of a ``Endpoints/WithHTTPResponse`` has the upload's URL.
    public static let tus = Resumable.tus(chunkSize: 16 << 20)

    /// tus 1.0.0, with another size of the pieces, or several parts at the same time.
    ///
    ///     static let uploading = Resumable.tus(chunkSize: 1 << 20)   // 1 MB
    ///     static let uploading = Resumable.tus(lanes: 4)             // four parts of the file
    ///
    /// After a cut, a server may have nothing of the piece that was on its way, so that it is sent
    /// again. Each piece costs a request.
    ///
    /// With lanes, the file is cut into at most as many parts, each of whole pieces. Each is an
    /// upload of its own, and the server joins them at the end. That needs the server's extension
    /// “concatenation”: if its response to OPTIONS doesn't name it, or the file has only one piece,
    /// the file is uploaded in one lane. An upload that has begun keeps its parts.
    /// - Parameters:
    ///   - chunkSize: The most bytes of one request. A size below 1 is an
    ///     ``Endpoints/EndpointError``.
    ///   - lanes: How many parts are sent at the same time, from 1 to 8. Another number is an
    ///     ``Endpoints/EndpointError``.
    public static func tus(chunkSize: Int64 = 16 << 20, lanes: Int = 1) -> Resumable {
        Resumable(kind: .tus(lanes: lanes), chunkSize: chunkSize)
    }

    /// “Resumable Uploads for HTTP”, a draft of the IETF, with its interop version 6, as
    /// `NIOResumableUpload` of swift-nio-extras 1.35 serves it. Experimental: until it is an RFC,
    /// another version may replace this one.
    ///
    ///     static let uploading = Resumable.ietf   // the declared request, then PATCH
    ///
    /// The declared request, with any method, creates the upload without its bytes, so that the
    /// server names a URL for them. The response to the last piece is the request's response.
    public static let ietf = Resumable.ietf(chunkSize: 16 << 20)

    /// “Resumable Uploads for HTTP”, with another size of the pieces than 16 MB. Experimental.
    public static func ietf(chunkSize: Int64) -> Resumable {
        Resumable(kind: .ietf, chunkSize: chunkSize)
    }

    /// Multipart uploads of Amazon S3 and of servers like it.
    ///
    ///     static let uploading = Resumable.s3(partSize: 8 << 20, lanes: 4)
    ///
    /// The request is declared as a PUT of the object's key, with the headers that the object gets.
    /// The transport signs each request, as `session.signed(by: AWSSigner(service: "s3", …))` does.
    /// Parts that the server has aren't sent again. A part that is cut off is sent from its start.
    /// A condition such as `If-None-Match` goes with the request that completes the upload.
    /// What the server keeps of an upload that never ends costs money: discard it, or set a rule
    /// for incomplete uploads in the bucket.
    /// - Parameters:
    ///   - partSize: The bytes of a part. Amazon S3 wants at least 5 MiB, `5 << 20`, of all but the
    ///     last one, and at most 5 GiB: other parts aren't sent to it, and the upload ends with an
    ///     ``Endpoints/EndpointError``. So does one at whose end another server says that the parts
    ///     are too small; it is discarded. For a file of more than 10,000 parts, the parts are
    ///     larger.
    ///   - lanes: How many parts are sent at the same time, from 1 to 16.
    public static func s3(partSize: Int64 = 16 << 20, lanes: Int = 1) -> Resumable {
        Resumable(kind: .s3(lanes: lanes), chunkSize: partSize)
    }
}

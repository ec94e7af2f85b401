import Endpoints

/// A request that sends a file in pieces, so that it goes on where it was after a lost connection,
/// a quit or a crash.
///
///     struct AddVideo: FlatRequest, ResumableRequest {
///         let body: File
///         static let endpoint = Endpoint<Self>(method: .post, path: "files")
///         static let uploading = Resumable.tus
///         typealias Response = Void
///     }
///
///     try await api.upload(AddVideo(body: File(video)), keepingStateIn: folder).response()
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
        case tus
    }

    let kind: Kind
    /// The most bytes of one request.
    let chunkSize: Int64

    /// tus 1.0.0, with the extensions creation, expiration and termination
    /// (https://tus.io/protocols/resumable-upload). A request has 16 MB of the file.
    ///
    ///     static let uploading = Resumable.tus   // POST files, then PATCH to the URL it names
    ///
    /// The request is declared with the method POST and the path at which uploads are created. The
    /// server gets the file's name and media type as `filename` and `filetype` of its metadata. Its
    /// last response, often a 204, is the request's response, so that is mostly `Void`. The
    /// `httpResponse` of a ``Endpoints/WithHTTPResponse`` has the upload's URL.
    public static let tus = Resumable.tus(chunkSize: 16 << 20)

    /// tus 1.0.0, with another size of the pieces.
    ///
    ///     static let uploading = Resumable.tus(chunkSize: 1 << 20)   // 1 MB
    ///
    /// After a cut, a server may have nothing of the piece that was on its way, so that it is sent
    /// again. Each piece costs a request. A size below 1 is an ``Endpoints/EndpointError``.
    public static func tus(chunkSize: Int64) -> Resumable {
        Resumable(kind: .tus, chunkSize: chunkSize)
    }
}

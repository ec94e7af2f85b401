import Endpoints
import EndpointsFolder
import Foundation

/// A file that a request of an ``Outbox`` sends.
///
///     struct AddPhoto: FlatRequest, OutboxRequest {
///         let photo: OutboxFile
///         var body: File { photo.file }
///         var outboxKey: String? { nil }
///         static let endpoint = Endpoint<Self>(method: .post, path: "photos")
///         typealias Response = Void
///     }
///     try await outbox.send(AddPhoto(photo: OutboxFile(file)))   // it is copied, and then kept
///
/// A `File` itself can't be written down.
public struct OutboxFile: Hashable, Sendable {
    /// How an outbox keeps a file.
    public enum Keeping: Hashable, Sendable {
        /// The outbox copies it, and removes the copy when the request has been sent or cancelled.
        /// What becomes of the file itself doesn't matter.
        case copied
        /// The outbox keeps only its path. The file must stay as it is until it is sent; if it is
        /// missing then, that counts as a refusal. The path of a file in an app's folders may be
        /// another one after an update of the app.
        case referenced
    }

    /// Where the file is; that of the copy, if it is read from an outbox.
    public let url: URL
    /// The file name that a multipart form sends.
    public let name: String
    /// The media type of the bytes.
    public let contentType: MIMEType
    /// How an outbox keeps the file.
    public let keeping: Keeping

    /// A file on disk. The defaults of its name and type are those of a `File`.
    public init(
        _ url: URL, name: String? = nil, contentType: MIMEType? = nil, keeping: Keeping = .copied
    ) {
        let file = File(url, name: name, contentType: contentType)
        (self.url, self.name, self.contentType) = (url, file.name, file.contentType)
        self.keeping = keeping
    }

    /// The file as a body, or as a part of a form.
    public var file: File { File(url, name: name, contentType: contentType) }
}

extension OutboxFile: Codable {
    private enum CodingKeys: CodingKey {
        case copy, path, name, type
    }

    /// Writes the path, or the name of the copy that an outbox makes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let copies = OutboxCopies.key.flatMap { encoder.userInfo[$0] } as? OutboxCopies
        if keeping == .copied, let copies {
            try container.encode(copies.add(url), forKey: .copy)
        } else {
            try container.encode(url.path, forKey: .path)
        }
        try container.encode(name, forKey: .name)
        try container.encode(contentType.rawValue, forKey: .type)
    }

    /// Reads what an outbox has written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        contentType = MIMEType(rawValue: try container.decode(String.self, forKey: .type))
        guard let copy = try container.decodeIfPresent(String.self, forKey: .copy) else {
            url = URL(fileURLWithPath: try container.decode(String.self, forKey: .path))
            keeping = .referenced
            return
        }
        let copies = OutboxCopies.key.flatMap { decoder.userInfo[$0] } as? OutboxCopies
        guard let copies, copy.hasSuffix(OutboxCopies.ending), !copy.contains("/") else {
            throw DecodingError.dataCorruptedError(
                forKey: .copy, in: container, debugDescription: "not the name of a copy")
        }
        url = copies.folder.appendingPathComponent(copy)
        keeping = .copied
    }
}

/// The copies of the files of a request, in the folder of an outbox.
final class OutboxCopies: Sendable {
    static let key = CodingUserInfoKey(rawValue: "EndpointsDurable.OutboxCopies")
    static let ending = ".body"

    let folder: URL
    private let id: UUID
    private let files = Locked<[URL]>([])

    /// - Parameter id: The entry of the request.
    init(in folder: URL, of id: UUID = UUID()) {
        self.folder = folder
        self.id = id
    }

    var count: Int { files.withLock(\.count) }

    /// Notes a file to copy, and returns the name of its copy.
    fileprivate func add(_ url: URL) -> String {
        files.withLock { files in
            files.append(url)
            return Self.name(files.count - 1, id)
        }
    }

    static func name(_ number: Int, _ id: UUID) -> String { "\(id.uuidString)-\(number)\(ending)" }

    /// Whether a copy is of one of the entries. A file of another name is somebody's own.
    static func isNeeded(_ name: String, by isEntry: (UUID) -> Bool) -> Bool {
        guard let id = UUID(uuidString: String(name.prefix(36))),
            let number = Int(name.dropFirst(37).dropLast(ending.count)),
            Self.name(number, id) == name
        else { return true }
        return isEntry(id)
    }

    /// Returns when the copies are on the disk.
    ///
    /// - Throws: A ``FileError``. There is no copy then.
    func make(in shared: SharedFolder) async throws(FileError) {
        let files = files.withLock { $0 }
        guard !files.isEmpty else { return }
        // This may take long, and mustn't keep one of the few threads of tasks.
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [id] in
                continuation.resume(
                    returning: Result { () throws(FileError) in
                        for (number, url) in files.enumerated() {
                            try shared.copy(url, as: Self.name(number, id))
                        }
                        try shared.synchronize()
                    })
            }
        }
        do throws(FileError) { try result.get() } catch {
            remove(from: shared)
            throw error
        }
    }

    func remove(from shared: SharedFolder) {
        for number in 0..<count { shared.remove(Self.name(number, id)) }
    }

    var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        if let key = Self.key { encoder.userInfo[key] = self }
        return encoder
    }

    var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        if let key = Self.key { decoder.userInfo[key] = self }
        return decoder
    }
}

extension SharedFolder {
    /// Copies a file, whose copy is then on the disk.
    fileprivate func copy(_ source: URL, as name: String) throws(FileError) {
        guard source.isFileURL else { throw FileError(.notAFile, at: source) }
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let old = try OpenFile(open(source.path, flags), at: source)
        let count = try old.count
        let new = try openFile(name, making: true)
        var position = 0
        while position < count {
            let chunk = try old.read(upTo: 1 << 20, from: position)
            guard !chunk.isEmpty else { throw FileError(.changed, at: source) }
            try new.write(chunk, at: position)
            position += chunk.count
        }
        guard fsync(new.descriptor) == 0 else { throw FileError(source, code: errno) }
    }
}

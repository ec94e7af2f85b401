import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// By what an unfinished download is found again.
struct PartKey: Hashable, Sendable {
    /// 64 hexadecimal digits.
    let hex: String

    /// A key that is used once.
    static var random: PartKey {
        PartKey(hex: (0..<32).map { _ in UInt8.random(in: 0...255) }.hex)
    }

    private init(hex: String) { self.hex = hex }

    /// `nil` if the text isn't a key's.
    init?(_ hex: Substring) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { return nil }
        self.hex = String(hex)
    }

    /// Headers that may be others in each call, though the same file is asked for.
    private static let volatileHeaders: Set<String> = [
        "baggage", "date", "idempotency-key", "traceparent", "tracestate", "user-agent",
        "x-request-id",
    ]

    /// The key of what is asked for, for whom, and where to. The request's headers belong to it, as
    /// they may say for whom it is.
    init(_ request: URLRequest, account: String?, to destination: URL) {
        var texts = [
            request.httpMethod ?? "", request.url?.absoluteString ?? "", account ?? "",
            destination.lastPathComponent,
        ]
        let fields = (request.allHTTPHeaderFields ?? [:]).map { ($0.lowercased(), $1) }
        for (name, value) in fields.sorted(by: { $0.0 < $1.0 })
        where !Self.volatileHeaders.contains(name) {
            texts += [name, value]
        }
        // Each text with its length, so that no two lists of texts look the same.
        hex = Digest(texts.map { "\($0.utf8.count):\($0)" }.joined()).hex
    }
}

/// The names of a part, and of the record that says which bytes are in it.
struct PartName: Sendable {
    fileprivate static let prefix = ".endpoints-"

    let folder: String
    let part: String
    let state: String
    let newState: String

    init(_ key: PartKey, in folder: URL) {
        self.folder = folder.path
        let base = folder.appendingPathComponent(Self.prefix + key.hex).path
        part = base + ".part"
        state = base + ".state"
        newState = base + ".new"
    }

    /// The record, if there is one that can be read and that no other user has written.
    var record: PartRecord? {
        let url = URL(fileURLWithPath: state)
        // A pipe must not be waited for.
        let descriptor = open(state, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard let file = try? OpenFile(descriptor, at: url), file.isOwn,
            let count = try? file.count, count <= PartRecord.limit,
            let data = try? file.read(upTo: count, from: 0)
        else { return nil }
        return PartRecord(data)
    }
}

/// What is kept of a download that was cancelled or has failed.
public struct KeptPart: Hashable, Sendable {
    var days: Double
    var megabytes: Double?
    var isKept = true

    /// The bytes that have arrived, so that the next download of the same request to the same file
    /// goes on with them. They are removed after 7 days in which nobody has asked for them.
    public static let part = part(days: 7)

    /// Nothing.
    public static let nothing = KeptPart(days: 7, megabytes: nil, isKept: false)

    /// The bytes that have arrived, for some days in which nobody asks for them.
    ///
    /// A download with numbers that aren't greater than 0 ends with an `.endpointError`.
    /// - Parameters:
    ///   - days: How long the bytes of this download are kept. Other downloads to the folder don't
    ///     change that.
    ///   - megabytes: The most that all unfinished downloads in the folder may have together. If
    ///     they have more, the oldest ones are removed, but none that is running.
    public static func part(days: Double, megabytes: Double? = nil) -> KeptPart {
        KeptPart(days: days, megabytes: megabytes)
    }

    /// Whether the numbers can be meant.
    var isRight: Bool { days > 0 && megabytes.map { $0 > 0 } ?? true }
}

/// A folder with unfinished downloads.
struct PartFolder {
    fileprivate struct Left {
        let key: PartKey
        let size: Int64
        let date: Date
    }

    private let url: URL

    init(_ url: URL) { self.url = url }

    /// When this process has last looked for parts in a folder, by the system's uptime.
    private static let looks = Locked<[String: TimeInterval]>([:])

    /// Removes what killed processes have left and nobody can use, what is older than its own
    /// download has said, and the oldest parts if all have more than so many megabytes. Looks at
    /// each folder once in a minute.
    func clean(megabytes: Double? = nil) {
        let now = ProcessInfo.processInfo.systemUptime
        // A look with another limit is another one.
        let look = "\(megabytes ?? .infinity) \(url.path)"
        let isDue = Self.looks.withLock { looks in
            guard looks[look].map({ now - $0 > 60 }) ?? true else { return false }
            looks = looks.filter { now - $0.value <= 60 }
            looks[look] = now
            return true
        }
        if isDue { removeOld(megabytes: megabytes, at: Date()) }
    }

    func removeOld(megabytes: Double? = nil, at now: Date) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        var left: [Left] = []
        for name in names where name.hasPrefix(PartName.prefix) {
            let rest = name.dropFirst(PartName.prefix.count)
            guard let dot = rest.lastIndex(of: "."), let key = PartKey(rest[..<dot])
            else { continue }
            let path = url.appendingPathComponent(name).path
            guard let part = Left(key, at: path) else { continue }
            switch rest[dot...] {
            case ".part": left.append(part)
            // A record without a part. One that is new may be that of a part which is being made.
            case ".state", ".new":
                if now.timeIntervalSince(part.date) > 60,
                    access(PartName(key, in: url).part, F_OK) != 0
                {
                    unlink(path)
                }
            default: break
            }
        }
        left.sort { $0.date > $1.date }
        var size = 0.0
        for part in left {
            size += Double(part.size)
            let days = PartName(part.key, in: url).record?.days ?? KeptPart.part.days
            let isOld = now.timeIntervalSince(part.date) > days * 86_400
            let isTooMuch = size > (megabytes ?? .infinity) * 1e6
            remove(part.key, evenWithRecord: isOld || isTooMuch)
        }
    }

    /// Removes a part that no process has locked, if it has no record or if `evenWithRecord`.
    private func remove(_ key: PartKey, evenWithRecord: Bool) {
        let name = PartName(key, in: url)
        guard evenWithRecord || access(name.state, F_OK) != 0 else { return }
        // Network file systems lock only what is open for writing.
        let descriptor = open(name.part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard let file = try? OpenFile(descriptor, at: url), file.lock(waiting: 0) == 0,
            file.isAt(name.part), evenWithRecord || access(name.state, F_OK) != 0
        else { return }
        // The part is the last one, as from then on these names may be those of a new part.
        unlink(name.state)
        unlink(name.newState)
        unlink(name.part)
    }
}

extension PartFolder.Left {
    fileprivate init?(_ key: PartKey, at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        let seconds = TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
        self.init(
            key: key, size: Int64(status.st_blocks) * 512,
            date: Date(timeIntervalSince1970: seconds))
    }
}

import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

/// Where ``Transport/cached(in:clock:)`` stores responses: in memory, or in a folder.
///
///     let short = session.cached(in: .memory(megabytes: 20))
///     let long = session.cached(in: .disk(folder, megabytes: 200))   // across launches
///
/// Caches that were made with one value share what it stores.
public struct CacheStorage: Sendable {
    let shelf: Shelf

    /// Stores responses in memory, up to a limit. Those that were used longest ago are dropped
    /// first.
    ///
    /// With 0, nothing is stored; with less, each load ends with an ``EndpointError``.
    public static func memory(megabytes: Int) -> CacheStorage {
        if let refusal = refusal("memory(megabytes: \(megabytes))", megabytes) { return refusal }
        return CacheStorage(shelf: Shelf(.success(MemoryStore(limit: bytes(megabytes)))))
    }

    /// Drops all that is stored, of all accounts, and what the loads in flight would store.
    ///
    ///     let storage = CacheStorage.memory(megabytes: 20)
    ///     storage.removeAll()  // nothing is stored
    ///
    /// It returns when that is done. In a folder, it drops what all processes have stored; a load
    /// that is in flight in another process may still store its response, as may one that was
    /// stopped while it wrote a file, until this process uses the folder again. If it couldn't be
    /// made, there is nothing to drop.
    public func removeAll() {
        shelf.drop(.all)
    }

    /// A limit in bytes.
    static func bytes(_ megabytes: Int) -> Int {
        let (bytes, isTooMany) = megabytes.multipliedReportingOverflow(by: 1_000_000)
        // Half of the largest number, so that sums of sizes can't overflow.
        return isTooMany ? .max / 2 : min(bytes, .max / 2)
    }
}

extension CacheStorage {
    /// Stores responses in a folder, across launches, up to a limit. Those that were used longest
    /// ago are dropped first.
    ///
    ///     let cached = session.cached(in: .disk(folder, megabytes: 200))
    ///
    /// A folder that doesn't exist is made. Several processes may use it at the same time. Each
    /// response is a file, which only the user can read. It is there when all of it has been
    /// written, so a process that is killed leaves the response or none. The files' names don't
    /// show what they are of; their content isn't encrypted.
    ///
    /// If the folder can't be made or written, each load ends with an ``EndpointError``. A response
    /// that can't be written later, such as to a full disk, isn't stored, and the load succeeds.
    ///
    /// With 0 megabytes, nothing is stored; with less, each load ends with an ``EndpointError``.
    public static func disk(_ folder: URL, megabytes: Int) -> CacheStorage {
        refusal("disk(_:megabytes: \(megabytes))", megabytes)
            ?? disk(folder, bytes: bytes(megabytes))
    }

    /// What refuses each load if a limit is below zero.
    private static func refusal(_ setting: String, _ megabytes: Int) -> CacheStorage? {
        WrongSetting(setting, unless: megabytes >= 0, "write 0 or more").map {
            CacheStorage(shelf: Shelf(.failure($0.error(CacheStorage.self))))
        }
    }

    /// Stores responses in a folder of at most so many bytes.
    package static func disk(_ folder: URL, bytes: Int) -> CacheStorage {
        do throws(FolderError) {
            return CacheStorage(
                shelf: Shelf(.success(DiskStore(try SharedFolder(folder), limit: bytes))))
        } catch {
            return CacheStorage(
                shelf: Shelf(
                    .failure(
                        EndpointError(
                            requestType: "CacheStorage.disk", field: .response,
                            reason: "can't be stored in \(folder.path): \(error.reason)",
                            cause: error.cause))))
        }
    }
}

extension CacheStorage: CustomReflectable {
    /// No children, because `dump(_:)` would print the responses that are stored.
    public var customMirror: Mirror { .hidden(self) }
}

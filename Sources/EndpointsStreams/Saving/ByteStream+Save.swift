import Endpoints
import Foundation

extension ByteStream {
    /// What to do if the file exists already.
    public enum ExistingFile: Sendable {
        /// Keep the file, and throw a `.fileError`: before the body is read, or at its end if the
        /// file has appeared meanwhile.
        case refuse
        /// Keep the file, and return before the body is read, or at its end if the file has
        /// appeared meanwhile.
        case keep
        /// Replace the file when the new file is complete.
        case replace
    }

    /// Saves the bytes as a file.
    ///
    ///     let archive = try await session.response(in: .production, with: GetArchive())
    ///     try await archive.save(to: file, ifExists: .replace)
    ///
    /// The bytes are written to a temporary file beside `destination`. When this file is complete,
    /// it is moved to `destination`. A file that is replaced leaves its permissions to the new one.
    /// If `destination` is a symbolic link, the file that it leads to is replaced.
    ///
    /// If the connection of a GET is lost, the rest of the body is requested. The whole body is
    /// requested again if the response isn't a 200, has no strong `ETag` or is compressed (RFC
    /// 9110, sections 13.1.5 and 14.2), or if a redirect then leads to another path. The download
    /// ends with an error if 5 such requests in a row bring no new bytes, or if a response to one
    /// can't be used, such as a 404.
    ///
    /// The `progress` counts the bytes, and is finished when the file is complete. It counts in
    /// steps of 1% of the file, but at least 64 KB, or of 1 MB if the size isn't known. Cancelling
    /// it ends the download with `.cancelled`, unless the file is complete. Don't replace its
    /// `cancellationHandler` meanwhile. The `clock` waits before each new request: a second, then
    /// twice as long each time.
    /// - Throws: A ``StreamError``, such as `.fileError` for a missing directory, a missing
    ///   permission, a full disk or a file that must not be replaced, and `.responseParseError` for
    ///   a 206 to a request without a `Range`. An `.endpointError` if the stream was read before.
    public func save(
        to destination: URL, ifExists: ExistingFile = .refuse, progress: Progress? = nil,
        clock: TransportClock = .system
    ) async throws(StreamError) {
        let saving = saving(to: destination, ifExists: ifExists, clock: clock)
        guard let progress else { return try await saving.run { _ in } }
        guard !progress.isCancelled else {
            throw response.traced(.cancelled(URLError(.cancelled)))
        }
        progress.totalUnitCount = -1
        let task = Task { () async -> StreamError? in
            do throws(StreamError) { try await saving.run(progress.show) } catch { return error }
            return nil
        }
        let restore = progress.onCancel { task.cancel() }
        defer { restore() }
        let error = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if let error { throw error }
    }

    /// Saves the bytes as a file, and reports the progress.
    ///
    ///     for try await progress in archive.saving(to: file) {
    ///         print(progress.fraction ?? 0)   // 0.01 … 0.99, 1
    ///     }
    ///
    /// The file is saved as ``save(to:ifExists:progress:clock:)`` says, while the loop runs.
    /// Leaving the loop ends the download. The last progress, with a fraction of 1, arrives when
    /// the file is complete.
    public func saving(
        to destination: URL, ifExists: ExistingFile = .refuse, clock: TransportClock = .system
    ) -> FileSaving {
        FileSaving(stream: self, destination: destination, ifExists: ifExists, clock: clock)
    }
}

/// A stream that is saved as a file while its progress is read: see
/// ``ByteStream/saving(to:ifExists:clock:)``.
public struct FileSaving: AsyncSequence, Sendable {
    let stream: ByteStream
    let destination: URL
    let ifExists: ByteStream.ExistingFile
    let clock: TransportClock

    /// An iterator that saves the file while a loop reads the progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let saving: FileSaving
        private var download: Download?
        private var hasEnded = false
        private var reported: Int64 = 0

        fileprivate init(_ saving: FileSaving) {
            self.saving = saving
        }

        /// The progress after another 1% of the file, but at least 64 KB, or after another 1 MB if
        /// the size isn't known; then the progress of the complete file; then `nil`.
        public mutating func next() async throws(StreamError) -> TransferProgress? {
            guard !hasEnded else { return nil }
            do throws(StreamError) { return try await step() } catch {
                // Releasing the download deletes the unfinished file.
                hasEnded = true
                download = nil
                throw saving.stream.response.traced(error)
            }
        }

        private mutating func step() async throws(StreamError) -> TransferProgress? {
            if download == nil {
                if let size = try saving.sizeToKeep() { return finish(size) }
                download = try await saving.download()
            }
            guard var download else { return nil }
            while let count = try await download.write() {
                self.download = download
                let total = download.total
                guard count - reported >= TransferProgress.stepSize(of: total), count != total
                else { continue }
                reported = count
                return TransferProgress(completed: count, total: total)
            }
            do { try await download.finish(replacing: saving.ifExists == .replace) } catch {
                guard case .fileError(let cause) = error, cause.kind == .exists,
                    let size = try saving.sizeToKeep()
                else { throw error }
                return finish(size)
            }
            return finish(download.count)
        }

        private mutating func finish(_ count: Int64) -> TransferProgress {
            hasEnded = true
            download = nil
            return TransferProgress(completed: count, total: count)
        }
    }

    /// The progress. The body can be read once, so a second iterator throws an `.endpointError`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}

extension FileSaving {
    fileprivate func run(
        _ show: @Sendable (TransferProgress) -> Void
    ) async throws(StreamError) {
        var steps = makeAsyncIterator()
        while let step = try await steps.next() { show(step) }
    }

    fileprivate func sizeToKeep() throws(StreamError) -> Int64? {
        do throws(FileError) { return try ifExists.sizeToKeep(at: destination) } catch {
            throw .fileError(error)
        }
    }

    fileprivate func download() async throws(StreamError) -> Download {
        let file: PartFile
        let destination = destination
        do throws(FileError) {
            file = try await inBackground { () throws(FileError) in
                try PartFile(for: destination)
            }
        } catch { throw .fileError(error) }
        return try Download(stream.response, into: file, clock)
    }
}

extension ByteStream.ExistingFile {
    /// The size of an existing file that is kept; `nil` if a file is to be written.
    ///
    /// - Throws: A ``FileError`` for anything else than a file, such as a directory or a device,
    ///   and, with `.refuse`, for an existing file.
    func sizeToKeep(at destination: URL) throws(FileError) -> Int64? {
        guard destination.isFileURL else { throw FileError(.notAFile, at: destination) }
        // `attributesOfItem` doesn't follow a symbolic link, so the path must be the link's target.
        let path = try destination.followingLink().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        else { return nil }
        guard attributes[.type] as? FileAttributeType == .typeRegular
        else { throw FileError(.notAFile, at: destination) }
        switch self {
        case .replace: return nil
        case .keep: return (attributes[.size] as? NSNumber)?.int64Value ?? 0
        case .refuse: throw FileError(.exists, at: destination)
        }
    }
}

extension TransferProgress {
    /// The bytes after which a progress is shown: 1% of the file, but at least 64 KB, or 1 MB if
    /// the size isn't known.
    static func stepSize(of total: Int64?) -> Int64 {
        max(64 << 10, (total ?? 100 << 20) / 100)
    }
}

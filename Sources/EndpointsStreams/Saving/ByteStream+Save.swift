import Endpoints
import Foundation

extension ByteStream {
    /// What to do if the file exists already.
    public enum ExistingFile: Sendable {
        /// Keep the file, and throw a `.fileError`: before the body is read, or at its end if the
        /// file has appeared meanwhile.
        case refuse
        /// Keep the file, and return before the body is read. If the file appears later, keep it
        /// too, and throw a `.fileError`.
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
    /// it is moved to `destination`.
    ///
    /// If the connection of a GET is lost, the rest of the body is requested. The whole body is
    /// requested again if the response isn't a 200, has no strong `ETag` or is compressed (RFC
    /// 9110, sections 13.1.5 and 14.2). The download ends with an error if 5 such requests in a row
    /// bring no new bytes, or if a response to one can't be used, such as a 404.
    ///
    /// The `progress` counts the bytes, and is finished when the file is complete. It counts in
    /// steps of 1% of the file, but at least 64 KB, or of 1 MB if the size isn't known. If it is
    /// cancelled, the download ends after the current step with `.cancelled`. If that is the last
    /// step, the file is saved. The `clock` waits before each new request: a second, then twice as
    /// long each time.
    /// - Throws: A ``StreamError``, such as `.fileError` for a missing directory, a missing
    ///   permission, a full disk or a file that must not be replaced, and `.responseParseError` for
    ///   a 206 to a request without a `Range`.
    public func save(
        to destination: URL, ifExists: ExistingFile = .refuse, progress: Progress? = nil,
        clock: TransportClock = .system
    ) async throws(StreamError) {
        var steps = saving(to: destination, ifExists: ifExists, clock: clock).makeAsyncIterator()
        progress?.totalUnitCount = -1
        var isComplete = false
        while !isComplete {
            if progress?.isCancelled == true {
                throw response.traced(.cancelled(URLError(.cancelled)))
            }
            guard let step = try await steps.next() else { return }
            // Only the last step has read all bytes.
            isComplete = step.completed == step.total
            // A `Progress` whose total is 0 would never be finished.
            let isEmpty = step.total == 0
            progress?.totalUnitCount = isEmpty ? 1 : step.total ?? -1
            progress?.completedUnitCount = isEmpty ? 1 : step.completed
        }
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

import Foundation

extension ByteStream {
    /// What becomes of a file that is there already.
    public enum ExistingFile: Sendable {
        /// It stays, and saving ends with a ``FileError`` before anything is read.
        case refuse
        /// It stays, and saving ends as a success before anything is read.
        case keep
        /// The new file takes its place once it is whole.
        case replace
    }

    /// Saves the bytes as a file.
    ///
    ///     let archive = try await session.response(in: .production, with: GetArchive())
    ///     try await archive.save(to: file, ifExists: .replace)
    ///
    /// They are written into a file beside it that gets its name when it is whole: there is never
    /// half a file. After a lost connection the rest of a GET is asked for, up to 5 times in a row;
    /// where the server gives no strong `ETag`, the download starts over (RFC 9110, sections 13.1.5
    /// and 14.2).
    /// - Parameter progress: Gets the number of bytes, and is finished when the file is there.
    ///   Cancelling it cancels the download.
    /// - Throws: A ``StreamError``: `.fileError` for a missing directory, a missing permission, a
    ///   full disk and a file that is there already.
    public func save(
        to destination: URL, ifExists: ExistingFile = .refuse, progress: Progress? = nil
    ) async throws(StreamError) {
        var steps = saving(to: destination, ifExists: ifExists).makeAsyncIterator()
        progress?.totalUnitCount = -1
        while let step = try await steps.next() {
            guard let progress else { continue }
            if progress.isCancelled { throw .cancelled }
            // A finished progress of no units is none.
            let isEmpty = step.total == 0
            progress.totalUnitCount = isEmpty ? 1 : step.total ?? -1
            progress.completedUnitCount = isEmpty ? 1 : step.completed
        }
    }

    /// Saves the bytes as a file, and says how far that is.
    ///
    ///     for try await progress in archive.saving(to: file) {
    ///         print(progress.fraction ?? 0)   // 0.01 … 0.99, 1
    ///     }
    ///
    /// As ``save(to:ifExists:progress:)`` does, while the loop runs: leaving it ends the download.
    /// The numbers grow. The last one, with a fraction of 1, comes when the file is there.
    public func saving(to destination: URL, ifExists: ExistingFile = .refuse) -> FileSaving {
        FileSaving(stream: self, destination: destination, ifExists: ifExists)
    }
}

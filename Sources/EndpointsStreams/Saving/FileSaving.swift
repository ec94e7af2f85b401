import Endpoints
import Foundation

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
                download = try saving.download()
            }
            guard var download else { return nil }
            while let count = try await download.write() {
                self.download = download
                let total = download.total
                guard count - reported >= Self.stepSize(of: total), count != total else { continue }
                reported = count
                return TransferProgress(completed: count, total: total)
            }
            try await download.finish(replacing: saving.ifExists == .replace)
            return finish(download.count)
        }

        private static func stepSize(of total: Int64?) -> Int64 {
            Swift.max(64 << 10, (total ?? 100 << 20) / 100)
        }

        private mutating func finish(_ count: Int64) -> TransferProgress {
            hasEnded = true
            download = nil
            return TransferProgress(completed: count, total: count)
        }
    }

    /// The progress. The body can be read once, so use only one iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}

extension FileSaving {
    /// The size of an existing file that is kept; `nil` if a file is to be written.
    ///
    /// - Throws: `.fileError` for a directory, a URL that isn't a file's, and, with `.refuse`, an
    ///   existing file.
    fileprivate func sizeToKeep() throws(StreamError) -> Int64? {
        guard destination.isFileURL
        else { throw .fileError(FileError(.notAFile, at: destination)) }
        // `attributesOfItem` doesn't follow a symbolic link, so the path must be the link's target.
        let path = destination.resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        else { return nil }
        guard attributes[.type] as? FileAttributeType != .typeDirectory
        else { throw .fileError(FileError(.notAFile, at: destination)) }
        switch ifExists {
        case .replace: return nil
        case .keep: return (attributes[.size] as? NSNumber)?.int64Value ?? 0
        case .refuse: throw .fileError(FileError(.exists, at: destination))
        }
    }

    fileprivate func download() throws(StreamError) -> Download {
        let file: PartFile
        do throws(FileError) { file = try PartFile(for: destination) } catch {
            throw .fileError(error)
        }
        return try Download(stream.response, into: file, clock)
    }
}

import Foundation

/// An upload whose files have been measured. Reading a file fails if its length has changed. A file
/// that was empty isn't read.
struct MeasuredUpload: Sendable {
    let upload: Upload
    /// The number of bytes of each piece.
    let counts: [Int]
    let contentLength: Int64

    init(_ upload: Upload) throws(FileError) {
        self.upload = upload
        var counts: [Int] = []
        for piece in upload.pieces {
            switch piece {
            case .data(let data): counts.append(data.count)
            case .file(let url): counts.append(try OpenFile(reading: url).count)
            }
        }
        self.counts = counts
        contentLength = counts.reduce(0) { $0 + Int64($1) }
    }

    /// Reports to the upload's observer how many bytes the transport has read so far.
    ///
    /// - Throws: The error that the observer throws to end the upload.
    func report(_ count: Int64) throws {
        try upload.observe?(count, contentLength)
    }
}

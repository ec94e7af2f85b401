import Foundation

/// An upload whose files have been measured. It is sent with exactly this length, or not to its end.
struct MeasuredUpload: Sendable {
    let upload: Upload
    /// How many bytes each piece has.
    let counts: [Int]
    let contentLength: Int64

    /// - Throws: A ``FileError`` for a file that is missing or can't be read.
    init(_ upload: Upload) throws(FileError) {
        self.upload = upload
        var counts: [Int] = []
        for piece in upload.pieces {
            switch piece {
            case .data(let data): counts.append(data.count)
            case .file(let url): counts.append(try OpenFile(url).count)
            }
        }
        self.counts = counts
        contentLength = counts.reduce(0) { $0 + Int64($1) }
    }

    /// Reports how many bytes were handed over.
    ///
    /// - Throws: The error of an observer that ends the upload.
    func report(_ count: Int64) throws {
        try upload.observe?(count, contentLength)
    }
}

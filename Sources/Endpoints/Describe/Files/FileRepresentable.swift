import Foundation

/// A value that is sent as files of a form: a ``File``, `Data`, and optionals and arrays of these.
///
///     .part("photos", path: \.photos)   // photos: [File]   ->   a part for each file
///
/// `Data` is sent with the file name `blob`, as browsers do, because servers read a part without a
/// file name as text. Use a ``File`` to choose another file name.
public protocol FileRepresentable: SendableMetatype {
    /// The value's files; an empty list leaves the part out.
    var fileRepresentation: [File] { get throws }
}

extension File: FileRepresentable {
    /// A list with only this file.
    public var fileRepresentation: [File] { [self] }
}

extension Data: FileRepresentable {
    /// The bytes as a file named `blob`.
    public var fileRepresentation: [File] { [File(self)] }
}

extension Optional: FileRepresentable where Wrapped: FileRepresentable {
    /// The wrapped value's files; an empty list for `nil`.
    public var fileRepresentation: [File] {
        get throws { try self?.fileRepresentation ?? [] }
    }
}

extension Array: FileRepresentable where Element: FileRepresentable {
    /// The elements' files.
    public var fileRepresentation: [File] {
        get throws { try flatMap { try $0.fileRepresentation } }
    }
}

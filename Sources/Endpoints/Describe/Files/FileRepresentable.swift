import Foundation

/// A value that is sent as files of a form: a ``File``, `Data`, and optionals and arrays of these.
///
///     .part("photos", path: \.photos)   // photos: [File]   ->   a part for each file
///
/// `Data` has the file name `blob`, as in a browser: servers read a part without a file name as
/// text. Use a ``File`` to give it another one.
public protocol FileRepresentable: SendableMetatype {
    /// The value's files; none leaves the part out.
    var fileRepresentation: [File] { get throws }
}

extension File: FileRepresentable {
    /// The file.
    public var fileRepresentation: [File] { [self] }
}

extension Data: FileRepresentable {
    /// The bytes as a file named `blob`.
    public var fileRepresentation: [File] { [File(self)] }
}

extension Optional: FileRepresentable where Wrapped: FileRepresentable {
    /// The wrapped value's files; none if there is no value.
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

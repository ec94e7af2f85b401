// Stands for Apple's module of this name, with what the library uses of it by another name.
@_exported import Glibc

extension stat {
    /// When the file was last written.
    public var st_mtimespec: timespec { st_mtim }
}

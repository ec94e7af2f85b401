// Stands for Apple's module of this name, with what the library uses of it by another name.
@_exported import Glibc

/// No signal for a socket that is closed.
public let SO_NOSIGPIPE: Int32 = 0x1022

extension sockaddr_in {
    /// The bytes of the address, which Glibc's doesn't have.
    public var sin_len: UInt8 {
        get { 16 }
        set {}
    }
}

extension stat {
    /// When the file was last written.
    public var st_mtimespec: timespec { st_mtim }
}

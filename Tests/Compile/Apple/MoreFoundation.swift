// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Apple's Foundation has besides that of Linux: Darwin, the types of FoundationNetworking, and
// some of CoreFoundation. Each file imports this module without saying so, when
// Tests/Compile/apple.py compiles it.

@_exported import Darwin
@_exported import FoundationNetworking

public typealias CFOptionFlags = UInt
public final class CFRunLoop {}
public final class CFString {}

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An upload as the stream that a `URLRequest` holds and a `URLSession` reads.
///
/// Opening the stream goes back to the first byte: `URLSession` on Linux opens the same stream
/// again after a 401 (Swift 6.3.1).
final class UploadStream: InputStream {
    let upload: Upload
    private let measured: MeasuredUpload?
    private let onFailure: (@Sendable (any Error) -> Void)?
    private var reader: UploadReader?
    private var status = Status.notOpen
    private var failure: (any Error)?

    /// A stream that measures the files when it is opened.
    init(_ upload: Upload) {
        self.upload = upload
        measured = nil
        onFailure = nil
        super.init(data: Data())
    }

    /// A stream of exactly as many bytes as were measured.
    ///
    /// - Parameter onFailure: Called with the error if a file can't be read or has changed, or if
    ///   `Upload.observe` throws.
    init(_ measured: MeasuredUpload, onFailure: @escaping @Sendable (any Error) -> Void) {
        upload = measured.upload
        self.measured = measured
        self.onFailure = onFailure
        super.init(data: Data())
    }

    override func open() {
        failure = nil
        do throws(FileError) {
            let measured = if let measured { measured } else { try upload.measured() }
            reader = UploadReader(measured)
            status = .open
        } catch { fail(error) }
    }

    override func close() {
        reader = nil
        status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard failure == nil, let reader else { return failure == nil ? 0 : -1 }
        do {
            let memory = UnsafeMutableRawBufferPointer(start: buffer, count: maxLength)
            let count = try reader.read(into: memory)
            if reader.isAtEnd { status = .atEnd }
            try measured?.report(reader.count)
            return count
        } catch {
            fail(error)
            return -1
        }
    }

    private func fail(_ error: any Error) {
        failure = error
        status = .error
        onFailure?(error)
    }

    /// Whether to read more: `true` after a failure too, as `false` would mean that the body ended.
    override var hasBytesAvailable: Bool { status == .error || reader?.isAtEnd == false }
    override var streamStatus: Status { status }
    override var streamError: (any Error)? { failure }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override func property(forKey key: PropertyKey) -> PropertyValue? { nil }
    override func setProperty(_ property: PropertyValue?, forKey key: PropertyKey) -> Bool { false }
    override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {}
    override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {}

    #if canImport(FoundationNetworking)
        typealias PropertyValue = AnyObject
    #else
        typealias PropertyValue = Any

        // `URLSession` calls these methods of a body's stream, so a subclass must implement them.
        // There is nothing to schedule, as reading never waits.

        @objc(_scheduleInCFRunLoop:forMode:)
        func scheduleInCFRunLoop(_ loop: CFRunLoop, forMode mode: CFString) {}

        @objc(_unscheduleFromCFRunLoop:forMode:)
        func unscheduleFromCFRunLoop(_ loop: CFRunLoop, forMode mode: CFString) {}

        @objc(_setCFClientFlags:callback:context:)
        func setCFClientFlags(
            _ flags: CFOptionFlags, callback: UnsafeRawPointer?, context: UnsafeRawPointer?
        ) -> Bool { false }
    #endif
}

extension URLRequest {
    /// The body, if it is an ``Upload``, which is read while it is sent; otherwise `nil`.
    ///
    ///     var request = URLRequest(url: url)
    ///     request.httpMethod = "PUT"
    ///     request.upload = Upload([.file(video)])
    ///
    /// A request with a ``File``, a ``Multipart`` or parts has an upload. The library sends it with
    /// its `Content-Length`. The upload is also the request's `httpBodyStream`, so a data task that
    /// you make sends it too, but without a `Content-Length`.
    public var upload: Upload? {
        get { (httpBodyStream as? UploadStream)?.upload }
        set {
            guard newValue != nil || upload != nil else { return }
            httpBodyStream = newValue.map(UploadStream.init)
        }
    }
}

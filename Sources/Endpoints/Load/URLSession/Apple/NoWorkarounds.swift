#if !canImport(FoundationNetworking)
    import Foundation

    // The files in `Load/Linux` have workarounds for faults of `URLSession` on Linux. Code for all
    // platforms calls the members below. On Apple platforms, which don't have these faults, the
    // members do as little as possible.

    extension URLSessionTask {
        /// Cancels a task that its load doesn't need any more.
        func stop(startedAt _: DispatchTime) {
            cancel()
        }

        /// Does nothing: cancelling a completed task does no harm.
        func makeCancelHarmless() {}
    }

    extension URLError {
        /// This error, unchanged: `URLSession` has given it the right code.
        func corrected(at url: URL?) -> URLError { self }
    }

    extension URLRequest {
        /// This request, unchanged: `URLSession` accepts any timeout.
        var withFiniteTimeout: URLRequest { self }

        /// This request, unchanged. Whether `URLSession` adds a `Content-Type` to a POST without
        /// one is not tested on Apple platforms.
        func withoutFormType(_: URLSession) -> URLRequest { self }

        /// Does nothing: with a `Content-Length`, `URLSession` doesn't send the body in chunks.
        mutating func dropChunkedFraming() {}
    }
#endif

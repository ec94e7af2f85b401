#if !canImport(FoundationNetworking)
    import Foundation

    // `Load/Linux` has a workaround for each of these. Apple platforms need none.

    extension URLSessionTask {
        /// Cancels the task of a load that has ended.
        func stop(startedAt _: DispatchTime) {
            cancel()
        }

        /// Does nothing: a completed task may be cancelled at any time.
        func settle() {}
    }

    extension URLError {
        /// The error itself: its code is right.
        func corrected(at url: URL?) -> URLError { self }
    }

    extension URLRequest {
        /// The request itself: `URLSession` accepts any timeout.
        var withFiniteTimeout: URLRequest { self }

        /// The request itself: `URLSession` adds no `Content-Type`.
        func withoutFormType(_: URLSession) -> URLRequest { self }

        /// Does nothing: `URLSession` sends no second framing beside a `Content-Length`.
        mutating func dropChunkedFraming() {}
    }

    extension StreamDelegate {
        /// Does the work: a delegate may wait for `URLSession`.
        func leaveQueue(_ work: () -> Void) {
            work()
        }
    }
#endif

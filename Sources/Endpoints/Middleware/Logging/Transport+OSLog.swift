#if canImport(os)
    import os

    extension Transport {
        /// A transport that logs each request, and its response or error, to the unified log.
        ///
        /// ```swift
        /// let transport = session.logged(to: Logger(subsystem: "app", category: "api"))
        /// ```
        ///
        /// A response is logged at the level `info`, an error and an error response at `error`, and
        /// a request at `debug`. The lines are logged as public; see ``LogEvent/description``.
        /// - Parameter secretNames: The names of query items whose values are hidden.
        public func logged(
            to logger: Logger, masking secretNames: SecretNames = .usual
        ) -> some Transport {
            logged(masking: secretNames) { event in
                logger.log(level: event.level, "\(event.description, privacy: .public)")
            }
        }
    }

    extension LogEvent {
        fileprivate var level: OSLogType {
            switch kind {
            case .request: .debug
            case .response(let status, _, _): status < 400 ? .info : .error
            case .failure: .error
            }
        }
    }
#endif

#if canImport(os)
    import Endpoints
    import os

    extension Transport {
        /// A transport that logs each request, and its response or error, to the unified log.
        ///
        /// ```swift
        /// let transport = session.logged(to: Logger(subsystem: "app", category: "api"))
        /// ```
        ///
        /// A request is logged at the level `debug`, a response with a status below 400 at `info`,
        /// and any other response and an error at `error`. The lines are logged as public: only the
        /// values that ``LogEvent/description`` hides are hidden.
        /// - Parameters:
        ///   - logger: Where the lines go.
        ///   - secretNames: Changes to ``SecretNames/usual``, the names of query items whose values
        ///     are hidden.
        public func logged(
            to logger: Logger, masking secretNames: SecretNames = []
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

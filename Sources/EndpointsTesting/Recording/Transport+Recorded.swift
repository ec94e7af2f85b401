import Endpoints
import Foundation

extension Transport {
    /// A ``Replay`` of a file or, if the environment variable `ENDPOINTS_RECORD` is set, a
    /// ``Recorder`` of this transport that writes the file anew.
    ///
    ///     let api = EndpointClient(try URLSession.shared.recorded(at: file), in: .production)
    ///     // swift test                      ->  responds from the file, without a network
    ///     // ENDPOINTS_RECORD=1 swift test   ->  loads, and writes the file
    /// - Throws: A ``RecordingError`` if the file can't be read or written.
    public func recorded(
        at file: URL, ignoring names: SecretNames = [], masking secretNames: SecretNames = .usual
    ) throws -> any Transport {
        let isRecording = ProcessInfo.processInfo.environment["ENDPOINTS_RECORD"] != nil
        return isRecording
            ? try Recorder(self, to: file, masking: secretNames)
            : try Replay(file, ignoring: names, masking: secretNames)
    }
}

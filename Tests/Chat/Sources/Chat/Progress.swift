import Foundation

/// One line about what has happened so far, written again and again, on a terminal only.
struct Progress {
    private let task: Task<Void, any Error>?

    init(_ record: Record) {
        guard isatty(STDOUT_FILENO) == 1 else {
            task = nil
            return
        }
        task = Task {
            while true {
                Self.write(record)
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    /// Clears the line.
    func end() async {
        guard let task else { return }
        task.cancel()
        _ = await task.result
        FileHandle.standardOutput.write(Data("\r\u{1B}[K".utf8))
    }

    private static func write(_ record: Record) {
        let line =
            "\(record.number(of: .written)) of \(Conversation.total) sent, "
            + "\(record.number(of: .received)) received, \(record.number(of: .limited)) times 429, "
            + "\(record.number(of: .refreshes)) tokens, \(record.number(of: .lost) + record.number(of: .refused)) lost"
        FileHandle.standardOutput.write(Data("\r\(line)\u{1B}[K".utf8))
    }
}

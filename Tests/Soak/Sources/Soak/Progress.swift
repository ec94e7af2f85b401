import Foundation

/// How far the program is, written to where `make` shows it on a terminal.
enum Progress {
    private static let file = ProcessInfo.processInfo.environment["ENDPOINTS_PROGRESS"]
    /// Which of the runs of `make soak` this is.
    private static let run = ProcessInfo.processInfo.environment["ENDPOINTS_RUN"]

    static func report(_ text: String) {
        guard let file else { return }
        let line = [run, text].compactMap(\.self).joined(separator: ", ")
        try? Data(line.utf8).write(to: URL(fileURLWithPath: file))
    }
}

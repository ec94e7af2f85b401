import Foundation

/// How far the program is, written to where `make` shows it on a terminal.
enum Progress {
    private static let file = ProcessInfo.processInfo.environment["ENDPOINTS_PROGRESS"]

    static func report(_ text: String) {
        guard let file else { return }
        try? Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }
}

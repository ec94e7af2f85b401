import Foundation

/// The memory of this process, as `/proc` has it.
enum Memory {
    /// How much memory some work takes at its peak, and how long it takes.
    static func peak(_ work: @Sendable () async throws -> Void) async throws -> (
        megabytes: Int, seconds: Int
    ) {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try kilobytes("VmRSS")
        let start = Date()
        try await work()
        return (try (kilobytes("VmHWM") - before) >> 10, Int(-start.timeIntervalSinceNow))
    }

    private static func kilobytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

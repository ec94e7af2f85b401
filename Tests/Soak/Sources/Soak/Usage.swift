import Foundation
import Malloc

/// What Linux says of this process in /proc.
enum Usage {
    /// The resident memory, in megabytes, without what `malloc` holds back and nobody uses.
    static var memory: Double {
        malloc_trim(0)
        guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = statm.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return .nan }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_000_000
    }

    /// The bytes that are allocated and not given back.
    static var heap: Int {
        let heap = mallinfo2()
        return heap.uordblks + heap.hblkhd
    }

    static var threads: Int { entries("/proc/self/task") }

    /// The open files, without the one that lists them.
    static var files: Int { entries("/proc/self/fd") - 1 }

    /// Those of the open files that are sockets.
    static var sockets: Int {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return files.count { file in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(file)")
            return target?.hasPrefix("socket:") == true
        }
    }

    private static func entries(_ path: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? -1
    }

    /// Waits until no more threads and files are there than before, at most so many seconds.
    static func settle(threads: Int, files: Int, within seconds: Double = 60) async {
        let end = ContinuousClock.now + .seconds(seconds)
        while Usage.threads > threads || Usage.files > files, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}

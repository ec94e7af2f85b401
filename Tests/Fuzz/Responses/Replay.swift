// Compiled by responses.sh instead of libFuzzer, to try inputs that were found once.
import Foundation

@main
enum Replay {
    /// Reads each file as a response; a failure ends the process.
    static func main() throws {
        for file in CommandLine.arguments.dropFirst() {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            data.withUnsafeBytes { bytes in
                guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
                _ = readOneResponse(start, bytes.count)
            }
        }
    }
}

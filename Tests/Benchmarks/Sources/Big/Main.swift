import Endpoints
import Foundation

/// `Big 1024` loads bodies of a gigabyte and prints how much memory each takes at its peak; the
/// exit code says whether that is less than 32 MB above the start. For Linux only, where `/proc`
/// has it.
@main
enum Main {
    private static let limit = 32

    static func main() async {
        do {
            let megabytes = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 64
            let server = try Server()
            // What every first load takes is not a body's.
            _ = try await server.drain(1 << 20)
            print("\(megabytes) MB each; peak memory above the start, in MB; at most \(limit)")
            var isFine = true
            for (number, (name, work)) in server.measures.enumerated() {
                Progress.report("\(number + 1) of \(server.measures.count): \(name)")
                let measured = try await Memory.peak { try await work(megabytes << 20) }
                isFine = isFine && measured.megabytes < limit
                print("\(name): \(measured.megabytes) MB, \(measured.seconds) s")
            }
            exit(isFine ? 0 : 1)
        } catch {
            print("Big: \(error)")
            exit(1)
        }
    }
}

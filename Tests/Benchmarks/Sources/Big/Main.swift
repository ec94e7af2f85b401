import Endpoints
import Foundation

/// `Big 1024` loads bodies of a gigabyte and prints how much memory each takes at its peak; the
/// exit code says whether that is less than 32 MB above the start. For Linux only, where `/proc`
/// has it.
///
/// `Big 1024 1` has its slow reader read 1 MB a second, and `Big 1024 1 slowly` has only that one.
@main
enum Main {
    private static let limit = 32

    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            let numbers = arguments.compactMap(Int.init)
            let megabytes = numbers.first ?? 64
            let server = try Server(rate: numbers.dropFirst().first ?? 32)
            let measures = server.measures.filter { measure in
                arguments.allSatisfy { Int($0) != nil || measure.name.contains($0) }
            }
            // What every first load takes is not a body's.
            _ = try await server.drain(1 << 20)
            print(
                "\(Server.transportName), \(megabytes) MB each;",
                "peak memory above the start, in MB; at most \(limit)")
            var isFine = !measures.isEmpty
            for (number, (name, work)) in measures.enumerated() {
                Progress.report("\(number + 1) of \(measures.count): \(name)")
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

import Foundation

/// `Benchmarks` measures everything, `Benchmarks decoding` one part; `Benchmarks 5 library 100000`
/// makes that many of case 5's requests, for a profiler.
@main
enum Main {
    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            if arguments.count == 2, arguments.first == "throughput" {
                return try await throughput(URL(fileURLWithPath: arguments[2]))
            }
            if arguments.count == 3, let count = Int(arguments[3]) {
                return try run(arguments[1], arguments[2], count)
            }
            let parts = parts.filter { arguments.isEmpty || arguments.contains($0.0) }
            for (number, (name, measure)) in parts.enumerated() {
                Progress.report("\(number + 1) of \(parts.count): \(name)")
                try await measure()
            }
        } catch {
            print("Benchmarks: \(error)")
            exit(1)
        }
    }

    private static var parts: [(String, () async throws -> Void)] {
        [
            ("requests", requests), ("allocations", allocations), ("decoding", decoding),
            ("loading", loading), ("caching", caching), ("streaming", streaming),
            ("threads", threads),
            ("growth", growth),
            ("first-use", firstUse),
        ]
    }

    private static func run(_ name: String, _ candidate: String, _ count: Int) throws {
        guard let test = try Case.all().first(where: { $0.name.hasPrefix(name) }),
            let candidate = test.candidates.first(where: { $0.name == candidate })
        else { throw Difference(description: "there is no case \(name) of \(candidate)") }
        try candidate.run(0..<count)
    }
}

import Foundation

@main
enum Main {
    static func main() async {
        do {
            try requests()
        } catch {
            print("Benchmarks: \(error)")
            exit(1)
        }
    }
}

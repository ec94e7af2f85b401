import Dispatch
import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads a file, and shows a progress bar. End it with ctrl-C, or kill it, and start it again.
///
///     ModelDownloader URL FILE [LANES]
@main
enum ModelDownloader {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let url = URL(string: arguments[1]), url.host != nil else {
            print("ModelDownloader URL FILE [LANES]")
            exit(2)
        }
        let file = URL(fileURLWithPath: arguments[2])
        let lanes = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
        let api = EndpointClient(URLSession.shared, in: ServerEnvironment(baseUrl: url))

        let download = Task { try await show(api.download(GetModel(), to: file, lanes: lanes)) }
        // Ctrl-C ends the download, which saves what has arrived. A kill loses half a second.
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
        interrupt.setEventHandler { download.cancel() }
        interrupt.resume()

        do {
            try await download.value
            print("\nsaved as \(file.path)")
        } catch GetModel.TaskError.cancelled {
            print("\nstart again to go on")
            exit(130)
        } catch {
            print("\n\(error)")
            exit(1)
        }
    }

    private static func show(_ download: FileDownload<GetModel>) async throws {
        let start = Date()
        var first: Int64?
        for try await progress in download {
            let begin = first ?? progress.completed
            if first == nil, begin > 0 { print("goes on after \(begin / 1_000_000) MB") }
            first = begin
            let speed = Double(progress.completed - begin) / max(0.1, -start.timeIntervalSinceNow)
            print("\r" + bar(progress, speed), terminator: "")
            fflush(nil)
        }
    }

    private static func bar(_ progress: TransferProgress, _ speed: Double) -> String {
        let megabytes = { (count: Int64) in "\(count / 1_000_000)" }
        let rate = String(format: "%.1f MB/s", speed / 1e6)
        guard let fraction = progress.fraction, let total = progress.total
        else { return "\(megabytes(progress.completed)) MB   \(rate)   " }
        let full = Int(fraction * 30)
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 30 - full)
        let percent = Int(fraction * 100)
        return
            "\(bar)  \(percent) %   \(megabytes(progress.completed)) of \(megabytes(total)) MB   "
            + "\(rate)   "
    }
}

/// The file of the URL itself.
struct GetModel: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "")
    typealias Response = ByteStream
}

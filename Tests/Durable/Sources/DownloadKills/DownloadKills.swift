import Endpoints
import EndpointsStreams
import Foundation
import Kills

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads a file, and may be killed meanwhile: see downloads.py.
///
///     DownloadKills URL FILE                     downloads
///     DownloadKills URL FILE lanes=4             in 4 lanes
///     DownloadKills URL FILE kill=20             is killed at the 20th call that changes a file
///     DownloadKills URL FILE fail=20,28,1        has the 20th of them fail with errno 28, once
///     DownloadKills URL FILE save                with `save(to:)`
///     DownloadKills URL FILE slow                by the usual clock; else waits are a tenth as
///                                                long, and lanes open and close in a hundredth
///
/// Prints how many bytes there are and how many there were before, or the error. The exit code is 1
/// after an error, and 3 after one that isn't a load's.
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let base = URL(string: arguments[1]) else { exit(2) }
        let file = URL(fileURLWithPath: arguments[2])
        let options = Dictionary(
            arguments.dropFirst(3).map { argument in
                let parts = argument.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }, uniquingKeysWith: { $1 })
        let transport = URLSession(configuration: .ephemeral)
        let api = EndpointClient(transport, in: ServerEnvironment(baseUrl: base))
        if let number = options["kill"].flatMap({ Int($0) }) { kill_at_call(number) }
        let failure = (options["fail"] ?? "").split(separator: ",").compactMap { Int($0) }
        if failure.count == 3 { fail_from_call(failure[0], Int32(failure[1]), failure[2]) }
        do throws(GetFile.TaskError) {
            if options["save"] != nil {
                let stream = try await api(GetFile())
                do { try await stream.save(to: file, ifExists: .replace) } catch {
                    print("error \(error)")
                    exit(1)
                }
                print("saved")
            } else {
                let saved = try await api.download(
                    GetFile(), to: file, ifExists: options["replace"] == nil ? .refuse : .replace,
                    lanes: options["lanes"].flatMap { Int($0) } ?? 1,
                    clock: options["slow"] == nil ? clock : .system)
                print(saved.byteCount, saved.resumedByteCount)
            }
            if options["count"] != nil { print("calls \(calls_counted())") }
        } catch {
            print("error \(error.errorCode) \(error)")
            if options["count"] != nil { print("calls \(calls_counted())") }
            fflush(nil)
            exit(1)
        }
        fflush(nil)
        _exit(0)
    }

    /// A clock that waits a tenth as long, and by which a hundred times as much time passes.
    private static let clock: TransportClock = {
        var clock = TransportClock.system
        let sleep = clock.sleep
        clock.sleep = { try await sleep($0 / 10) }
        let uptime = clock.uptime
        clock.uptime = { uptime() * 100 }
        return clock
    }()
}

/// The file of the URL itself.
struct GetFile: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "")
    typealias Response = ByteStream
}

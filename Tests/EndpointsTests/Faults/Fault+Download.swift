import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request whose response is saved as a file.
struct SaveThing: FlatRequest, Sendable {
    let fault: Fault
    let key: String

    static let endpoint = Endpoint<Self>(
        method: .get, path: "\(path: \.fault.name)",
        parameters: [.query("key", path: \.key), .query(contentsOf: \.settings)])
    typealias Response = ByteStream
    typealias ErrorResponse = Fault.Problem

    var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: fault.isHurried ? 1 : nil) }
    var settings: [URLQueryItem] {
        fault.settings.map { URLQueryItem(name: $0.key, value: "\($0.value)") }
    }

    func prepare(_ request: inout URLRequest) {
        // A download that waits in vain asks again, several times.
        request.timeoutInterval = fault.patience / 4
    }
}

extension Fault {
    /// How a download ends, and how many files and connections it leaves.
    struct DownloadReport: Equatable, Sendable {
        var outcome: Outcome
        var files: [String]
        var connections = 0
    }

    /// The expected report, where a load with a decoded response has an outcome.
    ///
    /// The body of a success is a file, whatever is in it. An error leaves none.
    func downloadReport(_ outcome: Outcome) -> DownloadReport {
        switch name {
        case "partial-content-unasked":
            DownloadReport(outcome: .partial, files: [])
        case "length-of-8-exabytes":
            DownloadReport(outcome: .outOfSpace, files: [])
        case _ where ["response", "responseParseError"].contains(outcome.ending):
            DownloadReport(outcome: .saved, files: ["file"])
        default:
            DownloadReport(outcome: outcome, files: [])
        }
    }

    /// Downloads from the server, as often as a load is tested.
    ///
    /// - Parameter load: Calls its function with a transport, and closes that.
    func downloadReport(
        _ load: ((any Transport) async -> Outcome) async -> Outcome
    ) async throws -> DownloadReport {
        let server = try FaultServer()
        let environment = ServerEnvironment(baseUrl: server.address)
        let key = "\(name)-download-\(UUID())"
        let folder = try Folder()
        let file = folder.file
        var report = DownloadReport(outcome: .saved, files: [])
        for _ in 0..<requests where report.outcome == .saved {
            report.outcome = await load { transport in
                let request = SaveThing(fault: self, key: key)
                return await transport.download(request, in: environment, to: file)
            }
        }
        report.files = try folder.names
        report.connections = try await server.open(key)
        return report
    }
}

extension Fault.Outcome {
    /// The same with the name of the request in the table.
    fileprivate var ofThing: Self {
        Self(ending: ending, text: text.replacing("SaveThing", with: "GetThing"))
    }

    fileprivate static let saved = response("saved")
    fileprivate static let partial = responseParseError(
        "the server sent a part of the content, but the request has no `Range`; the server must "
            + "send all of it", status: 206)
    fileprivate static let outOfSpace = Self(
        ending: "fileError",
        text: "The load failed: the disk has too little space for the file, or allows only smaller "
            + "files")
}

extension Transport {
    fileprivate func download(
        _ request: SaveThing, in environment: ServerEnvironment, to file: URL
    ) async -> Fault.Outcome {
        do throws(SaveThing.TaskError) {
            let stream = try await response(in: environment, with: request)
            do throws(StreamError) {
                _ = try await stream.saved(to: file, ifExists: .replace)
                return .saved
            } catch {
                return Fault.Outcome(ending: error.ending, text: error.sentence).ofThing
            }
        } catch {
            return error.outcome.ofThing
        }
    }
}

import Endpoints
import EndpointsStreams
import Foundation
import FoundationNetworking

/// `Soak [load|race|limits] [--requests N] [--in-flight N] [--seconds N] [--seed N]`, or
/// `Soak sessions [--plain]`, or `Soak exit [--way NAME]`
@main
struct Soak {
    let options: Options
    let environment: ServerEnvironment

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments)
            if options.what == .exit {
                return await Leaving(environment: try .load(tls: true), way: options.way).run()
            }
            let soak = Soak(options: options, environment: try .load())
            exit(await soak.run() ? 0 : 1)
        } catch {
            print("soak: \(error)")
            exit(2)
        }
    }

    /// Runs what was asked for, and prints what ran; whether nothing went wrong.
    func run() async -> Bool {
        if options.what == .sessions { return await runSessions() }
        let (threads, files, leak) = await usage()
        if options.what == .limits {
            let limits = Limits(environment: environment, count: options.requests, leak: leak)
            return await limits.run(with: session())
        }
        let record = Record(of: options.requests)
        let start = ContinuousClock.now
        let ran = await send(record, until: start + .seconds(options.seconds))
        let seconds = Double((ContinuousClock.now - start).components.seconds)
        let memory = Usage.memory
        await Usage.settle(threads: threads, files: files)

        var problems = record.problems(among: ran)
        if Usage.threads > threads { problems.append("threads: \(threads), then \(Usage.threads)") }
        if Usage.files > files { problems.append("files: \(files), then \(Usage.files)") }
        let own = leak * Double(ran / 2) / 1_000_000
        if options.measuresMemory, ran == options.requests, memory - own > record.middle * 1.1 {
            problems.append("memory: \(record.middle) MB at the middle, \(memory) MB at the end")
        }
        report(ran, seconds, record, memory, leak, problems)
        return problems.isEmpty
    }

    /// Runs short-lived sessions, and prints only what went wrong.
    private func runSessions() async -> Bool {
        let problems = await Sessions(environment: environment, isPlain: options.isPlain).run()
        for problem in problems.prefix(20) { print(problem) }
        return problems.isEmpty
    }

    /// What a process has of everything once it has loaded, and what `URLSession` keeps of each
    /// request.
    private func usage() async -> (threads: Int, files: Int, leak: Double) {
        // The first load makes it, for good: the library compares each session with it.
        _ = URLSession.shared
        let sockets = Usage.sockets
        let session = session()
        defer { session.finishTasksAndInvalidate() }
        await load(with: session)
        // The first sleep opens a file, of the clock, for good. On a busy machine a short sleep is
        // over before it does.
        try? await Task.sleep(for: .milliseconds(100))
        let threads = Usage.threads
        let url = environment.baseUrl.appendingPathComponent("ok")
        let leak = await Bare(session: session, url: url).leak()
        // The connections of this session are not to be there at the end.
        return (threads, Usage.files - Usage.sockets + sockets, leak)
    }

    /// Loads once each way.
    private func load(with session: URLSession) async {
        let field = Field(
            session: session, environment: environment, record: Record(of: Way.allCases.count))
        for (number, way) in Way.allCases.enumerated() {
            let flight = field.flight(GetNumber(path: "ok", i: number), by: way)
            flight.start()
            _ = await flight.ending()
        }
    }

    private func send(_ record: Record, until end: ContinuousClock.Instant) async -> Int {
        let field = Field(session: session(), environment: environment, record: record)
        defer { field.session.finishTasksAndInvalidate() }
        switch options.what {
        case .load:
            let load = Load(
                field: field, count: options.requests, inFlight: options.inFlight,
                seed: options.seed, end: end)
            return await load.run()
        case .race:
            let race = Race(
                field: field, count: options.requests, inFlight: options.inFlight,
                seed: options.seed, end: end)
            return await race.run()
        case .limits, .sessions, .exit:
            return 0
        }
    }

    private func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = options.inFlight
        return URLSession(configuration: configuration)
    }
}

extension ServerEnvironment {
    fileprivate static func load(tls: Bool = false) throws -> ServerEnvironment {
        let name = tls ? "ENDPOINTS_LOAD_TLS" : "ENDPOINTS_LOAD"
        let address = ProcessInfo.processInfo.environment[name] ?? ""
        guard !address.isEmpty, let url = URL(string: address) else {
            throw Options.Problem(description: "\(name) is not set: run `make soak`")
        }
        return ServerEnvironment(baseUrl: url)
    }
}

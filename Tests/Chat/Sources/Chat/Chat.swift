import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `Chat [--log]`: two users chat through the homeserver at `CHAT_HOMESERVER`.
@main
struct Chat {
    /// The conversation is given up after this time.
    static let limit = Duration.seconds(200)

    static func main() async {
        guard let homeserver = address("CHAT_HOMESERVER"), let starter = address("CHAT_STARTER")
        else {
            print("chat: CHAT_HOMESERVER or CHAT_STARTER is not set: run `make chat`")
            exit(2)
        }
        let record = Record(showsLog: CommandLine.arguments.contains("--log"))
        let conversation = Conversation(
            homeserver: Homeserver(baseUrl: homeserver.appendingPathComponent("_matrix")),
            starter: EndpointClient(URLSession.shared, in: Starter(baseUrl: starter)),
            record: record)
        exit(await run(conversation) ? 0 : 1)
    }

    /// Runs the conversation and prints what happened; whether all was as it has to be.
    private static func run(_ conversation: Conversation) async -> Bool {
        let start = ContinuousClock.now
        let work = Task { try await conversation.run() }
        let timer = Task {
            try await Task.sleep(for: limit)
            work.cancel()
        }
        let progress = Progress(conversation.record)
        let result = await work.result
        timer.cancel()
        await progress.end()
        let report = Report(record: conversation.record, seconds: ContinuousClock.now - start)
        return report.print(result)
    }

    private static func address(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment[name].flatMap(URL.init(string:))
    }
}

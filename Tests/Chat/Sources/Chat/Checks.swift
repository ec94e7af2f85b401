/// What has to hold at the end, in words, and whether it does.
struct Checks {
    private(set) var list: [(text: String, holds: Bool)] = []

    init(_ outcome: Conversation.Outcome, _ record: Record) {
        check("the history", outcome.history)
        check("the long polls", outcome.received)
        let (sent, received) = outcome.file
        add("\(received.count) of \(sent.count) bytes of the file came back", sent == received)
        add(
            "a long poll was left at once, as cancelled",
            outcome.wasCancelled && outcome.leaving < 2)
        add(
            "the homeserver said 429, always with the time to wait",
            record.number(of: .limited) > 0 && record.number(of: .limitedSilently) == 0)
        add(
            "tokens expired, and were refreshed",
            record.number(of: .expired) > 0 && record.number(of: .refreshes) > 1)
        add(
            "requests met the restart, and were sent again",
            record.number(of: .lost) + record.number(of: .refused) > record.number(of: .dropped))
        add(
            "responses were lost, and their messages sent again",
            record.number(of: .dropped) > 0
                && record.number(of: .taken) >= Conversation.total + record.number(of: .dropped))
        add("no line of the log holds a token", record.number(of: .leaks) == 0)
    }

    var allHold: Bool { list.allSatisfy(\.holds) }

    private mutating func add(_ text: String, _ holds: Bool) {
        list.append((text, holds))
    }

    /// Whether every message is there once, and those of each window in order.
    private mutating func check(_ name: String, _ events: [Event]) {
        let texts = events.compactMap(\.content.body)
        let different = Set(texts).count
        add(
            "\(name): \(different) of \(Conversation.total) messages",
            different == Conversation.total)
        add("\(name): \(events.count - different) twice", events.count == different)
        let windows = Dictionary(grouping: texts) { $0.split(separator: "-").dropLast() }
        let expected = Array(1...Conversation.messages)
        add(
            "\(name): in order in each of \(windows.count) windows",
            windows.count == 2 * Conversation.writers
                && windows.values.allSatisfy { $0.map(Self.number) == expected })
    }

    /// `ann-2-17`  ->  17
    private static func number(of text: String) -> Int? {
        text.split(separator: "-").last.flatMap { Int($0) }
    }
}

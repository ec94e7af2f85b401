extension Fault {
    static let timing: [Fault] = [
        Fault(
            name: "no-answer", patience: 1,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(name: "late", outcome: "Answer(ok: true)"),
        Fault(
            name: "silence-within-head", patience: 1,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(
            name: "silence-within-body", patience: 1,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(
            name: "silence-after-body", patience: 1,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(
            name: "silence-before-last-chunk", patience: 1,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(name: "dripped-head", outcome: "Answer(ok: true)"),
        Fault(name: "dripped-body", outcome: "Answer(ok: true)"),
        Fault(
            name: "endless-body", isHurried: true,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(
            name: "endless-body-without-length", isHurried: true,
            outcome: "The load failed: it took too long (URLError -1001)"),
    ]
}

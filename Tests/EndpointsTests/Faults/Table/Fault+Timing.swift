extension Fault {
    static let timing: [Fault] = [
        Fault("no-response", .tooLate, patience: 1),
        Fault("late", .fine),
        Fault("silence-within-head", .tooLate, patience: 1),
        Fault("silence-within-body", .tooLate, patience: 1),
        Fault("silence-after-body", .tooLate, patience: 1),
        Fault("silence-before-last-chunk", .tooLate, patience: 1),
        Fault("dripped-head", .fine),
        Fault("dripped-body", .fine),
        Fault("endless-body", .tooLate, isHurried: true),
        Fault("endless-body-without-length", .tooLate, isHurried: true),
    ]
}

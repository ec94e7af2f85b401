extension Fault {
    static let connections: [Fault] = [
        Fault("reset-before-head", .lost),
        Fault("fin-before-head", .lost),
        Fault("reset-within-status-line", .lost),
        Fault("fin-within-status-line", .lost),
        Fault("reset-within-head", .lost),
        Fault(
            "fin-within-head", .stop,
            platform:
                "FoundationNetworking takes the end for a whole response without a head, and traps"),
        Fault("reset-after-head", .lost),
        Fault("fin-after-head", .lost),
        Fault("reset-within-body", .lost),
        Fault("reset-within-chunks", .lost),
        Fault("fin-within-chunk", .lost),
        Fault("reset-without-length", .lost),
        Fault("keep-alive-closed", .fine, requests: 2),
        Fault("keep-alive-reset", .fine, requests: 2),
        Fault(
            "second-request-closed", .fine, requests: 2, lastPost: .lost,
            platform: "libcurl sends the request again on a new connection"),
        Fault(
            "second-request-reset", .fine, requests: 2, lastPost: .lost,
            platform: "libcurl sends the request again on a new connection"),
    ]
}

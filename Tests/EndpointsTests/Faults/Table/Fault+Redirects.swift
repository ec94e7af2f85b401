extension Fault {
    static let redirects: [Fault] = [
        Fault("redirect-loop", .tooManyRedirects),
        Fault("redirect-ping", .tooManyRedirects),
        Fault("redirect-pong", .tooManyRedirects),
        Fault("redirect-chain", .tooManyRedirects),
        Fault("redirect-growing", .longFields, platform: "libcurl reads heads of up to 300 KB"),
        Fault(
            "redirect-nowhere",
            .urlLoadError("no connection to the host could be made (URLError -1004)")),
        Fault(
            "redirect-to-unknown-host", .urlLoadError("the host can't be found (URLError -1003)")),
        Fault("redirect-without-location", .unexpectedResponse(302)),
        Fault("redirect-without-location-after-hints", .unexpectedResponse(302)),
        Fault("redirect-empty-location", .unexpectedResponse(302)),
        Fault(
            "redirect-two-locations", .errorResponse(404, "no such fault"),
            platform: "FoundationNetworking makes one Location of them, with a comma"),
        Fault("redirect-to-ftp", .unsupportedURL),
        Fault("redirect-to-file", .unsupportedURL),
        Fault("redirect-to-data", .unsupportedURL),
        Fault("redirect-to-javascript", .unsupportedURL),
        Fault(
            "redirect-to-https",
            .urlLoadError("no connection to the host could be made (URLError -1004)")),
        Fault("redirect-control-characters", .notHTTP),
        Fault("redirect-bare-cr", .badLocation),
        Fault("redirect-blanks", .fine),
        Fault(
            "redirect-invalid-utf8", .unreadableHead,
            platform: "FoundationNetworking reads heads as UTF-8 only"),
        Fault("redirect-invalid-percent", .fine),
        Fault("redirect-dot-segments", .fine),
        Fault("redirect-fragment-only", .tooManyRedirects),
        Fault("redirect-without-host", .badLocation),
        Fault("redirect-port-too-large", .badLocation),
        Fault("redirect-with-user-info", .badLocation),
        Fault(
            "redirect-long-location", .longFields, platform: "libcurl reads heads of up to 300 KB"),
        Fault("redirect-with-large-body", .fine, settings: ["mb": 1]),
        Fault("redirect-multiple-choices", .unexpectedResponse(300)),
        Fault("redirect-use-proxy", .unexpectedResponse(305)),
        Fault("redirect-closed", .fine),
    ]
}

import Foundation

#if THERE
    import Get
#endif

func send() async throws {
    Recorder.answers = [(200, #"{"login": "ann"}"#), (201, #"[{"email": "ann@example.com"}]"#)]
    let url = URL(string: "https://api.example.com/v1")!
    #if THERE
        let (user, status) = try await setUp(
            APIClient(baseURL: url) { $0.sessionConfiguration = Recorder.configuration })
        Main.got((user, status ?? 0))
    #else
        let client = EndpointClient(URLSession.shared, in: ServerEnvironment(baseUrl: url))
        Main.got(try await setUp(client))
    #endif
}

import Foundation

#if THERE
    import TinyNetworking
#endif

func send() async throws {
    Recorder.answers = [(200, #"{"name": "Ann"}"#), (200, #"{"name": "Bob"}"#), (204, "")]
    #if THERE
        for login in ["objcio", "a/b"] {
            Main.got(
                try await withCheckedThrowingContinuation { done in
                    name(of: login) { done.resume(with: $0) }
                })
        }
        let edit = Mailchimp(apiKey: "k3y").edit(
            Content(plain_text: "hi", html: "<p>hi</p>"), campaign: "7")
        try await withCheckedThrowingContinuation { done in
            _ = URLSession.shared.load(edit) { done.resume(with: $0) }
        }
    #else
        let github = EndpointClient(
            URLSession.shared,
            in: ServerEnvironment(baseUrl: URL(string: "https://api.github.com")!))
        for login in ["objcio", "a/b"] { Main.got(try await github(UserInfo(login: login)).name) }
        let server = ServerEnvironment(baseUrl: URL(string: "https://us7.api.mailchimp.com/3.0")!)
        let mailchimp = Mailchimp(
            client: EndpointClient(URLSession.shared, in: server), apiKey: "k3y")
        try await mailchimp.edit("7", .init(plain_text: "hi", html: "<p>hi</p>"))
    #endif
}

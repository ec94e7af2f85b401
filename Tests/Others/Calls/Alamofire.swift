import Foundation

#if THERE
    import Alamofire
#endif

let account = Account(email: "ann@example.com", password: "a \"b\"")

func send() async throws {
    Recorder.answers = [(401, "{}"), (200, #"{"id": "s1"}"#)]
    #if THERE
        let session = Session(configuration: Recorder.configuration)
        for _ in 1...2 {
            await withCheckedContinuation { done in
                logIn(account, by: session) {
                    Main.got($0)
                    done.resume()
                }
            }
        }
        let patient = patient(token: "t0k3n", configuration: Recorder.configuration)
        _ = await patient.request("https://api.example.com/v1/profile").serializingDecodable(
            LoggedIn.self
        ).result
    #else
        let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com/v1")!)
        let client = EndpointClient(URLSession.shared, in: server)
        for _ in 1...2 { Main.got(await logIn(account, by: client)) }
        let tokens = MemoryCredentials(for: server, AccessToken(.bearer("t0k3n"))) { $0 }
        let patient = EndpointClient(patient(URLSession.shared, signedInBy: tokens), in: server)
        _ = try? await patient(Profile())
    #endif
}

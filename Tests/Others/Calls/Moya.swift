import Foundation

#if THERE
    import Alamofire
    import Moya
#endif

func send() async throws {
    Recorder.answers = [(200, "zen"), (200, #"{"id": 123}"#)]
    #if THERE
        let provider = MoyaProvider<MyService>(
            session: Session(configuration: Recorder.configuration))
        for service in [
            MyService.zen, .showUser(id: 123),
            .createUser(firstName: "Harry", lastName: "O'Neil & Co"),
        ] {
            let response = try await withCheckedThrowingContinuation { done in
                provider.request(service) { done.resume(with: $0) }
            }
            if case .zen = service {
                Main.got(try response.mapString())
            } else {
                Main.got(try response.map(Member.self).id)
            }
        }
    #else
        let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com/v1")!)
        let client = EndpointClient(URLSession.shared, in: server)
        Main.got(try await client(Zen()))
        Main.got(try await client(ShowUser(id: 123)).id)
        Main.got(try await client(CreateUser(firstName: "Harry", lastName: "O'Neil & Co")).id)
    #endif
}

#if THERE
    struct Member: Decodable { let id: Int }
#endif

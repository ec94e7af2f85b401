// Other libraries, where `loads.py` compiles them beside this program: see CLONES there.
#if canImport(Alamofire) && canImport(Get) && canImport(Moya)
    @preconcurrency import Alamofire
    import Foundation
    @preconcurrency import Get
    @preconcurrency import Moya

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    extension Way {
        /// A user, loaded as each library's own pages show it.
        static func others(_ server: URL) -> [Way] {
            let configuration = Hand.session().configuration
            let alamofire = Session(configuration: configuration)
            let get = APIClient(baseURL: server) { $0.sessionConfiguration = configuration }
            let moya = MoyaProvider<UserTarget>(session: Session(configuration: configuration))
            return [
                Way(name: "Get") { id in
                    _ = try await get.send(Request<User>(path: "/users/\(id)")).value
                },
                Way(name: "Alamofire") { id in
                    let url = server.appendingPathComponent("users/\(id)")
                    _ = try await alamofire.request(url).validate().serializingDecodable(User.self)
                        .value
                },
                Way(name: "Moya") { id in
                    let target = UserTarget(baseURL: server, id: id)
                    _ = try await withCheckedThrowingContinuation { continuation in
                        moya.request(target) { result in
                            continuation.resume(
                                with: Result {
                                    try result.get().filterSuccessfulStatusCodes().map(User.self)
                                })
                        }
                    }
                },
            ]
        }
    }

    private struct UserTarget: TargetType {
        let baseURL: URL
        let id: Int

        var path: String { "users/\(id)" }
        var method: Moya.Method { .get }
        var task: Moya.Task { .requestPlain }
        var headers: [String: String]? { ["Accept": "application/json"] }
    }
#else
    import Foundation

    extension Way {
        static func others(_ server: URL) -> [Way] { [] }
    }
#endif

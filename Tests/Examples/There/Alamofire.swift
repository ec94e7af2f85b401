import Alamofire
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Account: Encodable {
    let email: String
    let password: String
}

struct LoggedIn: Decodable {
    let id: String
}

func logIn(_ account: Account, by session: Session = AF, completion: @escaping (String) -> Void) {
    session.request(
        "https://api.example.com/v1/login", method: .post, parameters: account,
        encoder: JSONParameterEncoder.default
    )
    .validate()
    .responseDecodable(of: LoggedIn.self) { response in
        switch response.result {
        case .success(let loggedIn): completion(loggedIn.id)
        case .failure where response.response?.statusCode == 401:
            completion("the password is wrong")
        case .failure(let error): completion(error.localizedDescription)
        }
    }
}

struct TokenAdapter: RequestAdapter {
    let token: String

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping (Result<URLRequest, any Error>) -> Void
    ) {
        var request = urlRequest
        request.headers.add(.authorization(bearerToken: token))
        completion(.success(request))
    }
}

func patient(token: String, configuration: URLSessionConfiguration = .af.default) -> Session {
    Session(
        configuration: configuration,
        interceptor: Interceptor(adapters: [TokenAdapter(token: token)], retriers: [RetryPolicy()]))
}

import Foundation
import Moya

enum MyService {
    case zen
    case showUser(id: Int)
    case createUser(firstName: String, lastName: String)
}

extension MyService: TargetType {
    var baseURL: URL { URL(string: "https://api.example.com/v1")! }

    var path: String {
        switch self {
        case .zen: return "/zen"
        case .showUser(let id): return "/users/\(id)"
        case .createUser: return "/users"
        }
    }

    var method: Moya.Method {
        switch self {
        case .zen, .showUser: return .get
        case .createUser: return .post
        }
    }

    var task: Task {
        switch self {
        case .zen, .showUser:
            return .requestPlain
        case .createUser(let firstName, let lastName):
            return .requestParameters(
                parameters: ["first_name": firstName, "last_name": lastName],
                encoding: URLEncoding.default)
        }
    }

    var headers: [String: String]? { ["X-App": "demo"] }
}

let provider = MoyaProvider<MyService>()

import Foundation
import Melatonin

struct Person: Decodable {
    let name: String
    let age: Int
}

struct AgifyCall: HTTPCall {
    func build() -> URLRequest {
        URLRequest(url: URL(string: "https://api.agify.io")!)
    }
}

struct EstimateAge: Endpoint {
    let name: String?

    var call: some HTTPCall {
        AgifyCall().method(.get).query(name: "name", value: name).accept(.json)
    }
}

struct Agify: HTTPService {
    let session = URLSession.shared
}

func age(of name: String) async throws -> Int {
    let (data, _) = try await Agify().load(EstimateAge(name: name).call)
    return try JSONDecoder().decode(Person.self, from: data).age
}

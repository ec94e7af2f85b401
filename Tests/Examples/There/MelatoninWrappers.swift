import Foundation
import Melatonin

struct Person: Decodable {
    let name: String
    let age: Int
}

struct AgifyAPIEndpoint: Endpoint {
    typealias Response = Person

    let host: String = "api.agify.io"
    let path: String = "/"
    @Query(name: "name") var name: String? = nil
    @Header(\.accept) var accept: MIMEType = .json
}

extension Endpoint where Self == AgifyAPIEndpoint {
    static func estimatedAge(forName personName: String) -> Self {
        AgifyAPIEndpoint(name: personName)
    }
}

func age(of name: String) async throws -> Int {
    try await URLSession.shared.load(.estimatedAge(forName: name)).age
}

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct SignUp: FlatRequest {
    let name: String
    let email: String
    let password: String
    let city: String
    let age: Int
    let newsletter: String

    static let endpoint = Endpoint<SignUp>(
        method: .post, path: "sign-up",
        parameters: [
            .form("name", path: \.name), .form("email", path: \.email),
            .form("password", path: \.password), .form("city", path: \.city),
            .form("age", path: \.age), .form("newsletter", path: \.newsletter),
        ])
    typealias Response = Void

    static let inputs = (0..<64).map { number in
        SignUp(
            name: "Zoë\(number)", email: "zoe\(number)@example.com", password: "s3cr&t+\(number)",
            city: "Köln-\(number)", age: number, newsletter: "weekly")
    }

    /// What a form's value may hold as it is.
    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")

    /// As people write it.
    static func hand(_ form: SignUp, _ environment: ServerEnvironment) throws -> URLRequest {
        var components = URLComponents(url: environment.baseUrl, resolvingAgainstBaseURL: false)!
        components.path += "/sign-up"
        var request = URLRequest(url: components.url!)
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let fields = [
            ("name", form.name), ("email", form.email), ("password", form.password),
            ("city", form.city), ("age", String(form.age)), ("newsletter", form.newsletter),
        ]
        let body = fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed)!)"
        }
        request.httpBody = Data(body.joined(separator: "&").utf8)
        return request
    }

    static func least<Way: Least>(
        _ way: Way.Type, _ form: SignUp, _ environment: ServerEnvironment
    ) throws -> URLRequest {
        var request = try Way.request(environment.baseUrl, capacity: 8) { $0.literal("/sign-up") }
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = Way.formHeaders
        let values =
            form.name.utf8.count + form.email.utf8.count + form.password.utf8.count
            + form.city.utf8.count + form.newsletter.utf8.count
        request.httpBody = Way.form(capacity: 3 * values + 72) {
            $0.literal("name=")
            $0.form(form.name)
            $0.literal("&email=")
            $0.form(form.email)
            $0.literal("&password=")
            $0.form(form.password)
            $0.literal("&city=")
            $0.form(form.city)
            $0.literal("&age=")
            $0.number(form.age)
            $0.literal("&newsletter=")
            $0.form(form.newsletter)
        }
        return request
    }
}

extension Case {
    static var signUp: Case {
        Case(
            "3 POST form of six", goal: (limit: 0.95, hand: 0.22),
            inputs: SignUp.inputs, hand: SignUp.hand,
            limit: { try SignUp.least(Limit.self, $0, $1) },
            floor: { try SignUp.least(Floor.self, $0, $1) })
    }
}

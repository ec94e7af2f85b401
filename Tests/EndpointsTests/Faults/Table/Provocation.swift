import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request for one fault, with a key by which the server counts it.
protocol Provocation: FlatRequest, Sendable
where
    Response: CustomStringConvertible, ErrorResponse == Fault.Problem,
    Environment == ServerEnvironment, Body == EmptyResponse
{
    var fault: Fault { get }
    var key: String { get }
}

extension Provocation {
    static var endpoint: Endpoint<Self> {
        Endpoint(
            method: .get, path: "\(path: \.fault.name)",
            parameters: [.query("key", path: \.key), .query(contentsOf: \.settings)])
    }

    var settings: [URLQueryItem] {
        fault.settings.map { URLQueryItem(name: $0.key, value: "\($0.value)") }
    }

    func prepare(_ request: inout URLRequest) {
        request.timeoutInterval = fault.patience
        Fault.change?(&request)
    }
}

extension Fault {
    /// Gives a request a method and a body; it is a GET without it.
    typealias Change = @Sendable (inout URLRequest) -> Void
    @TaskLocal static var change: Change?
}

extension Fault {
    /// The request for this fault.
    func request(_ key: String) -> any Provocation {
        if isHurried { return GetSoon(fault: self, key: key) }
        switch promise {
        case .json: return GetThing(fault: self, key: key)
        case .text: return GetText(fault: self, key: key)
        }
    }
}

/// A request for JSON.
struct GetThing: Provocation {
    typealias Response = Fault.Thing

    let fault: Fault
    let key: String
}

/// A request for text.
struct GetText: Provocation {
    typealias Response = String

    let fault: Fault
    let key: String
}

/// A request that has to end within a second.
struct GetSoon: Provocation {
    typealias Response = Fault.Thing

    static let loadPolicy = LoadPolicy(timeLimit: 1)

    let fault: Fault
    let key: String
}

extension Fault {
    /// The JSON that the server sends where it doesn't misbehave.
    struct Thing: Decodable, CustomStringConvertible {
        let ok: Bool?
        let name: String?
        let number: Double?

        var description: String {
            let members = [
                ok.map { "ok: \($0)" }, name.map { "name: \($0)" }, number.map { "number: \($0)" },
            ]
            return "Thing(\(members.compactMap { $0 }.joined(separator: ", ")))"
        }
    }

    /// The JSON that the server sends with an error status.
    struct Problem: Decodable, Sendable {
        let error: String
    }
}

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads cases, one a line of JSON, and writes what the library makes of each, one a line of JSON.
///
///     declare 127.0.0.1:8080   # `{wire}` in a base URL stands for this address
@main
enum Main {
    static func main() async throws {
        let wire = CommandLine.arguments.dropFirst().first ?? "127.0.0.1:9"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        let session = URLSession(configuration: configuration)
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        while let line = readLine() {
            var outcome = Outcome()
            do {
                let given = try decoder.decode(Case.self, from: Data(line.utf8))
                outcome = try await run(given, wire, session)
            } catch { outcome.nonsense = "\(error)" }
            FileHandle.standardOutput.write(try JSONEncoder().encode(outcome) + Data("\n".utf8))
        }
    }

    private static func run(
        _ given: Case, _ wire: String, _ session: URLSession
    ) async throws -> Outcome {
        let text = given.base.replacingOccurrences(of: "{wire}", with: wire)
        guard let base = URL(string: text) else { return Outcome() }
        let declaration = try Declaration(given)
        return await Declaration.$current.withValue(declaration) {
            let sender = given.sends ? session : nil
            return given.decodes
                ? await outcome(of: given, [String].self, base, sender)
                : await outcome(of: given, EmptyResponse.self, base, sender)
        }
    }

    private static func outcome<Response: Decodable & Sendable>(
        of given: Case, _ response: Response.Type, _ base: URL, _ session: URLSession?
    ) async -> Outcome {
        func outcome(_ body: some Encodable & Sendable) async -> Outcome {
            await Declared<_, Response>(given, body).outcome(
                in: Server(baseUrl: base, headers: given.serverHeaders), sentBy: session)
        }
        let text = given.body?.text
        switch given.body?.type {
        case "data": return await outcome(Data((text ?? "").utf8))
        case "text": return await outcome(text ?? "")
        case "maybe text": return await outcome(text)
        case "form": return await outcome(given.body?.tree ?? .null)
        case "number": return await outcome([given.body?.number ?? 0])
        case "json": return await outcome([text])
        default: return await outcome(EmptyResponse())
        }
    }
}

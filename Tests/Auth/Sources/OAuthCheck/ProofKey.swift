import Endpoints
import EndpointsAuth
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A key in a file, with which `openssl` signs.
struct ProofKey {
    let key: DPoPKey

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        let jwk = Data((environment["DPOP_JWK"] ?? "").utf8)
        let (path, algorithm) = (environment["DPOP_KEY"] ?? "", environment["DPOP_ALGORITHM"] ?? "")
        key = DPoPKey(algorithm, jwk: try JSONDecoder().decode([String: String].self, from: jwk)) {
            let signature = try Self.signature(of: $0, path)
            return algorithm == "ES256" ? try Self.raw(signature) : signature
        }
    }

    private static func signature(of data: Data, _ path: String) throws -> Data {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "dgst", "-sha256", "-sign", path]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: data)
        try input.fileHandleForWriting.close()
        let signature = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw WrongUse() }
        return signature
    }

    /// The two numbers of 32 bytes of a signature in DER: SEQUENCE { INTEGER, INTEGER }.
    private static func raw(_ der: Data) throws -> Data {
        var (bytes, raw) = (Array(der.dropFirst(2)), Data())
        for _ in 0..<2 {
            guard bytes.count > 2, bytes[0] == 2, bytes.count >= 2 + Int(bytes[1])
            else { throw WrongUse() }
            let number = bytes[2..<2 + Int(bytes[1])].drop { $0 == 0 }
            raw += Data(repeating: 0, count: 32 - number.count) + number
            bytes.removeFirst(2 + Int(bytes[1]))
        }
        return raw
    }
}

/// Sends each request twice, as somebody who has seen it could, and returns the second response.
struct Replaying: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        _ = try await URLSession.shared.send(request)
        return try await URLSession.shared.send(request)
    }
}

import Endpoints
import Foundation
import FoundationNetworking

/// A request whose number is sent back in the response.
struct GetNumber: FlatRequest, Sendable {
    /// What the server is to do: `ok`, `slow`, `fail` or `reset`.
    let path: String
    let i: Int
    var ms: Int?

    static let endpoint = Endpoint<GetNumber>(
        method: .get, path: "\(path: \.path)",
        parameters: [.query("i", path: \.i), .query("ms", path: \.ms)])

    struct Number: Decodable, Sendable {
        let i: Int
    }
    struct Problem: Decodable, Sendable {
        let error: String
    }
    typealias Response = Number
    typealias ErrorResponse = Problem

    /// Decodes, and does what is to be done meanwhile.
    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Number {
        let number = try responseDecoder.decode(Number.self, from: data)
        meanwhile.withLock { $0.removeValue(forKey: number.i) }?()
        return number
    }

    /// What to do while the response with a number is decoded.
    static let meanwhile = Locked<[Int: @Sendable () -> Void]>([:])
}

/// How a load ended.
enum Ending: Equatable, Sendable {
    case number(Int)
    case refused(Int, String)
    case failed(URLError.Code)
    case cancelled
    case other(String)

    init(_ error: GetNumber.TaskError) {
        switch error {
        case .cancelled: self = .cancelled
        case .urlLoadError(let error): self = .failed(error.code)
        case .errorResponse(let httpResponse, let problem):
            self = .refused(httpResponse.statusCode, problem.error)
        default: self = .other("\(error)")
        }
    }
}

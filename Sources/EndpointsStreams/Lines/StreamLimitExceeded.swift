import Endpoints

/// A line or an event of a stream is larger than allowed.
enum StreamLimitExceeded: ReasonedError, Equatable {
    case line(limit: Int)
    case event(limit: Int)

    var reason: String {
        switch self {
        case .line(let limit):
            "a line is longer than the limit of \(limit) bytes; declare a ByteStream as Response"
        case .event(let limit):
            "an event is longer than the limit of \(limit) bytes; declare a ByteStream as Response"
        }
    }
}

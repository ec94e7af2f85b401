import Endpoints
import EndpointsFormats
import Foundation

extension Headers {
    static let client = Headers(name: "X-Client")
}

struct MoveEvent: RequestType {
    static let endpoint: Endpoint<MoveEvent> = Endpoint(
        method: .post,
        path: "calendars/\(path: \.calendarId)/events/\(path: \.eventId)/move",
        parameters: [
            .query("destination", path: \.destination),
            .queryValue("notify", value: "all"),
        ],
        headers: [.client: .field(path: \.client)])

    typealias Response = Event

    struct PathComponents {
        let calendarId: String
        let eventId: String
    }

    struct Parameters {
        let destination: String
    }

    struct HeaderValues {
        let client: String
    }

    let pathComponents: PathComponents
    let parameters: Parameters
    let headerValues: HeaderValues
}

struct Event: Codable, Sendable {
    let id: String
}

/// The same request with its values as properties of its own.
struct MoveEventFlat: FlatRequest {
    let calendarId: String
    let eventId: String
    let destination: String
    let client: String

    static let endpoint = Endpoint<Self>(
        method: .post,
        path: "calendars/\(path: \.calendarId)/events/\(path: \.eventId)/move",
        parameters: [
            .query("destination", path: \.destination),
            .queryValue("notify", value: "all"),
        ],
        headers: [.client: .field(path: \.client)])
    typealias Response = Event
}

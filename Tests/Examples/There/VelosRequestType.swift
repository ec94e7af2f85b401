import Endpoints
import Foundation

extension Headers {
    static let client = Headers(name: "X-Client")
}

struct MoveEvent: RequestType {
    static let endpoint: Endpoint<MoveEvent> = Endpoint(
        method: .post,
        path: "calendars/\(path: \.calendarId)/events/\(path: \.eventId)/move",
        parameters: [
            .query("destination", path: \MoveEvent.Parameters.destination),
            .queryValue("notify", value: "all"),
        ],
        headers: [.client: .field(path: \MoveEvent.HeaderValues.client)])

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

struct Event: Codable {
    let id: String
}

import Endpoints
import Foundation

extension Header {
    static let client = Header(name: "X-Client")
}

struct MoveEvent: Endpoint {
    static let definition: Definition<MoveEvent> = Definition(
        method: .post,
        path: "calendars/\(path: \.calendarId)/events/\(path: \.eventId)/move",
        parameters: [
            .query("destination", path: \MoveEvent.ParameterComponents.destination),
            .queryValue("notify", value: "all"),
        ],
        headers: [.client: .field(path: \MoveEvent.HeaderComponents.client)])

    typealias Response = Event

    struct PathComponents {
        let calendarId: String
        let eventId: String
    }

    struct ParameterComponents {
        let destination: String
    }

    struct HeaderComponents {
        let client: String
    }

    let pathComponents: PathComponents
    let parameterComponents: ParameterComponents
    let headerComponents: HeaderComponents
}

struct Event: Codable {
    let id: String
}

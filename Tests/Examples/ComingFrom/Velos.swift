import Endpoints

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

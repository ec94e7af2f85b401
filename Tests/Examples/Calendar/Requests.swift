import Endpoints
import EndpointsFormats
import EndpointsStreams
import Foundation

/// https://developers.google.com/workspace/calendar/api/v3/reference
struct Google: EnvironmentType {
    let baseUrl: URL
    static let production = Google(baseUrl: URL(string: "https://www.googleapis.com")!)
}

/// What all requests to the calendar share.
protocol CalendarRequest: FlatRequest where Environment == Google, ErrorResponse == GoogleFailure {}

extension CalendarRequest {
    static var bodyEncoder: JSONEncoder { .google }
    static var responseDecoder: JSONDecoder { .google }
}

extension JSONEncoder {
    fileprivate static let google: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()
}

extension JSONDecoder {
    fileprivate static let google: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}

/// `{"error": {"code": 404, "message": "Not Found"}}`
struct GoogleFailure: Codable, Sendable {
    struct Reason: Codable, Sendable {
        let code: Int
        let message: String
    }

    let error: Reason
}

struct Event: Codable, Sendable, Equatable, Identifiable {
    struct Time: Codable, Sendable, Equatable {
        let dateTime: Date
    }

    let id: String
    let summary: String
    let start: Time
    let end: Time
}

struct ListCalendars: CalendarRequest, PagedRequest {
    var pageToken: String?

    static let endpoint = Endpoint<ListCalendars>(
        method: .get, path: "calendar/v3/users/me/calendarList",
        parameters: [.query("pageToken", path: \.pageToken)])
    static let paging = Paging<ListCalendars>.cursor(\.pageToken, next: \.nextPageToken)
    static func items(in page: Response) -> [Entry] { page.items }

    struct Entry: Codable, Sendable {
        let id: String
        let summary: String
    }
    struct Response: Codable, Sendable {
        let items: [Entry]
        var nextPageToken: String?
    }
}

/// The events between two times, page by page.
struct ListEvents: CalendarRequest, PagedRequest {
    enum Order: String, PathRepresentable { case startTime, updated }

    let calendarId: String
    var timeMin: Date?
    var timeMax: Date?
    var orderBy: Order? = .startTime
    var pageToken: String?

    static let endpoint = Endpoint<ListEvents>(
        method: .get,
        path: "calendar/v3/calendars/\(path: \.calendarId)/events",
        parameters: [
            .query("timeMin", path: \.timeMin),
            .query("timeMax", path: \.timeMax),
            .query("orderBy", path: \.orderBy),
            .query("pageToken", path: \.pageToken),
            .queryValue("singleEvents", value: true),
        ])
    static let paging = Paging<ListEvents>.cursor(\.pageToken, next: \.nextPageToken)
    static func items(in page: Response) -> [Event] { page.items }

    struct Response: Codable, Sendable {
        let items: [Event]
        var nextPageToken: String?
    }
}

struct GetEvent: CalendarRequest {
    let calendarId: String
    let eventId: String

    static let endpoint = Endpoint<GetEvent>(
        method: .get,
        path: "calendar/v3/calendars/\(path: \.calendarId)/events\(path: \.eventId)")
    typealias Response = Event
}

struct InsertEvent: CalendarRequest {
    struct Body: Encodable, Sendable {
        let summary: String
        let start: Event.Time
        let end: Event.Time
    }

    let calendarId: String
    let body: Body

    static let endpoint = Endpoint<InsertEvent>(
        method: .post, path: "calendar/v3/calendars/\(path: \.calendarId)/events")
    typealias Response = Event
}

/// Changes some members of an event and keeps the others.
struct PatchEvent: CalendarRequest {
    struct Body: Encodable, Sendable {
        var summary: Change<String> = .keep
        var location: Change<String> = .keep
        var end: Change<Event.Time> = .keep
    }

    let calendarId: String
    let eventId: String
    let body: Body

    static let endpoint = Endpoint<PatchEvent>(
        method: .patch,
        path: "calendar/v3/calendars/\(path: \.calendarId)/events\(path: \.eventId)")
    typealias Response = Event
}

struct DeleteEvent: CalendarRequest {
    let calendarId: String
    let eventId: String

    static let endpoint = Endpoint<DeleteEvent>(
        method: .delete,
        path: "calendar/v3/calendars/\(path: \.calendarId)/events\(path: \.eventId)")
    typealias Response = Void
}

/// Moves an event to another calendar.
struct MoveEvent: CalendarRequest {
    let calendarId: String
    let eventId: String
    let destination: String

    static let endpoint = Endpoint<MoveEvent>(
        method: .post,
        path: "calendar/v3/calendars/\(path: \.calendarId)/events\(path: \.eventId)/move",
        parameters: [.query("destination", path: \.destination)])
    typealias Response = Event
}

import Endpoints
import EndpointsMiddleware
import EndpointsTesting
import Foundation
import Testing

@Suite("Google Calendar")
@MainActor struct CalendarTests {
    let stub = StubTransport()
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    var end: Date { start.addingTimeInterval(86400) }

    /// A client that is signed in; its token can't be refreshed.
    var api: EndpointClient<Google> {
        let tokens = MemoryCredentials(for: Google.production) { _ in throw SignInError() }
        tokens.signIn(AccessToken(.bearer("t0k3n")))
        return EndpointClient(stub.authorized(by: tokens), in: .production)
    }

    func event(_ id: String, hour: Double) -> Event {
        let time = start.addingTimeInterval(hour * 3600)
        return Event(
            id: id, summary: id, start: .init(dateTime: time),
            end: .init(dateTime: time.addingTimeInterval(1800)))
    }

    @Test("No declaration of the calendar's requests has a problem")
    func declarations() {
        #expect(
            problems(
                of: ListCalendars.self, ListEvents.self, GetEvent.self, InsertEvent.self,
                PatchEvent.self, DeleteEvent.self, MoveEvent.self
            ).isEmpty)
    }

    @Test("An event's path has its calendar and its id, each in one segment")
    func path() throws {
        let request = DeleteEvent(calendarId: "ann@example.com", eventId: "a/b")
        #expect(
            try request.urlRequest(in: .production).url?.path(percentEncoded: true)
                == "/calendar/v3/calendars/ann@example.com/events/a%2Fb")
    }

    @Test("A day is loaded by its times, page by page, and a new event is put in its place")
    func day() async {
        stub.on(
            ListEvents.self, .value(.init(items: [event("a", hour: 8)], nextPageToken: "2")),
            .value(.init(items: [event("c", hour: 12)])))
        stub.on(InsertEvent.self, .value(event("b", hour: 10)))
        let agenda = Agenda(api)
        await agenda.load(from: start, to: end)
        await agenda.add("b", from: start, to: end)
        #expect(agenda.events.map(\.id) == ["a", "b", "c"])
        #expect(stub.sent(ListEvents.self).map(\.pageToken) == [nil, "2"])
        #expect(
            stub.sent[0].urlRequest.url?.query
                == "timeMin=2026-01-01T00:00:00Z&timeMax=2026-01-02T00:00:00Z"
                + "&orderBy=startTime&singleEvents=true")
    }

    @Test("An event that the server does not delete is shown again")
    func refused() async {
        stub.on(ListEvents.self, .value(.init(items: [event("a", hour: 8)])))
        stub.on(
            DeleteEvent.self,
            .error(403, GoogleFailure(error: .init(code: 403, message: "Forbidden"))))
        let agenda = Agenda(api)
        await agenda.load(from: start, to: end)
        await agenda.delete(agenda.events[0])
        #expect(agenda.events.map(\.id) == ["a"])
        #expect(agenda.message == "Forbidden")
    }

    @Test("A token that is no longer valid asks the user to sign in")
    func signIn() async {
        stub.on(ListEvents.self, .status(401))
        let agenda = Agenda(api)
        await agenda.load(from: start, to: end)
        #expect(agenda.needsSignIn)
        #expect(agenda.message == nil)
    }
}

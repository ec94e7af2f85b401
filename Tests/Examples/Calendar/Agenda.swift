import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import Foundation
import Observation

/// The events of a day, for a view.
@MainActor @Observable
final class Agenda {
    private(set) var events: [Event] = []
    private(set) var needsSignIn = false
    private(set) var message: String?

    private let api: EndpointClient<Google>
    private let calendar: String

    init(_ api: EndpointClient<Google>, calendar: String = "primary") {
        self.api = api
        self.calendar = calendar
    }

    func load(from start: Date, to end: Date) async {
        events = []
        do throws(ListEvents.TaskError) {
            let day = ListEvents(calendarId: calendar, timeMin: start, timeMax: end)
            for try await event in api.items(of: day) { events.append(event) }
        } catch {
            show(error)
        }
    }

    func add(_ summary: String, from start: Date, to end: Date) async {
        do throws(InsertEvent.TaskError) {
            let body = InsertEvent.Body(
                summary: summary, start: .init(dateTime: start), end: .init(dateTime: end))
            events.append(try await api(InsertEvent(calendarId: calendar, body: body)))
            events.sort { $0.start.dateTime < $1.start.dateTime }
        } catch {
            show(error)
        }
    }

    /// Removes an event at once, and shows it again if the server doesn't delete it.
    func delete(_ event: Event) async {
        let before = events
        events.removeAll { $0.id == event.id }
        do throws(DeleteEvent.TaskError) {
            try await api(DeleteEvent(calendarId: calendar, eventId: event.id))
        } catch {
            events = before
            show(error)
        }
    }

    private func show(_ error: EndpointTaskError<GoogleFailure>) {
        switch error {
        case .cancelled: break
        case .transportError(let error) where error.cause is SignInError: needsSignIn = true
        case .errorResponse(_, let failure): message = failure.error.message
        default: message = error.localizedDescription
        }
    }
}

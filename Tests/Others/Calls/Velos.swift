import Endpoints
import Foundation

#if THERE
    struct Production: EnvironmentType {
        let baseUrl = URL(string: "https://api.example.com")!
    }
#endif

func send() async throws {
    Recorder.answers = [(200, #"{"id": "7"}"#)]
    for calendar in ["work", "a b"] {
        #if THERE
            let request = MoveEvent(
                pathComponents: .init(calendarId: calendar, eventId: "7"),
                parameterComponents: .init(destination: "c@d"),
                headerComponents: .init(client: "tool"))
            Main.got(try await URLSession.shared.response(in: Production(), with: request).id)
        #else
            let production = ServerEnvironment(baseUrl: URL(string: "https://api.example.com")!)
            let request = MoveEvent(
                pathComponents: .init(calendarId: calendar, eventId: "7"),
                parameters: .init(destination: "c@d"), headerValues: .init(client: "tool"))
            Main.got(try await URLSession.shared.response(in: production, with: request).id)
        #endif
    }
}

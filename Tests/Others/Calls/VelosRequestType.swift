import Endpoints
import Foundation

#if THERE
    struct Production: EnvironmentType {
        let baseUrl = URL(string: "https://api.example.com")!
    }
#endif

func send() async throws {
    Recorder.answers = [(200, #"{"id": "7"}"#)]
    #if !THERE
        let production = ServerEnvironment(baseUrl: URL(string: "https://api.example.com")!)
    #else
        let production = Production()
    #endif
    for calendar in ["work", "a b"] {
        let request = MoveEvent(
            pathComponents: .init(calendarId: calendar, eventId: "7"),
            parameters: .init(destination: "c@d"), headerValues: .init(client: "tool"))
        let event = try await withCheckedThrowingContinuation { done in
            do {
                try URLSession.shared.endpointTask(in: production, with: request) { result in
                    done.resume(with: result.map(\.id).mapError { $0 as any Error })
                }.resume()
            } catch {
                done.resume(throwing: error)
            }
        }
        Main.got(event)
    }
}

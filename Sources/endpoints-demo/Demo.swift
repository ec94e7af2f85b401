import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes eight requests and prints what is sent for each, and what comes back.
@main
struct Demo {
    static func main() async {
        guard let baseUrl = baseUrl() else {
            print("usage: endpoints-demo --base-url URL, or ENDPOINTS_HTTPBIN=URL endpoints-demo")
            exit(64)
        }
        let show = Show(environment: ServerEnvironment(baseUrl: baseUrl))

        await show("A document, decoded from JSON", GetSlideshow()) { $0.slideshow.title }
        let search = Search(folder: "a/b c", words: "fish & chips", tags: ["1,2", "é"], page: nil)
        await show("Path and query values, escaped", search) {
            $0.args.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }.joined(separator: "; ")
        }
        let note = CreateNote(body: .init(noteTitle: "Milk"))
        await show("A JSON body in snake case", note) { $0.json.noteTitle }
        await show("A form", SignUp(name: "Ann Bee", plan: "50%")) {
            $0.form.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }.joined(separator: "; ")
        }
        let logIn = LogIn(credentials: .basic(username: "aladdin", password: "sesame"))
        await show("Credentials", logIn) { $0.user }
        await show("An error that the server explains", GetUnacceptable()) { "done" }
        let injection = GetWithToken(token: "secret\r\nX-Admin: 1")
        await show("A line break in a header: refused", injection) { "done" }
        await show(
            "A slow response: cancelled", GetSlowly(seconds: 9), cancelling: true
        ) { "\($0.count) bytes" }
    }

    private static func baseUrl() -> URL? {
        let arguments = CommandLine.arguments
        if let option = arguments.firstIndex(of: "--base-url"), option + 1 < arguments.count {
            return URL(string: arguments[option + 1])
        }
        return ProcessInfo.processInfo.environment["ENDPOINTS_HTTPBIN"].flatMap(URL.init(string:))
    }
}

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends eight requests and prints what each became on the wire, and what came back.
@main
struct Demo {
    static func main() async {
        guard let baseUrl = baseUrl() else {
            print("usage: endpoints-demo --base-url URL, or ENDPOINTS_HTTPBIN=URL endpoints-demo")
            exit(64)
        }
        let show = Show(environment: ServerEnvironment(baseUrl: baseUrl))

        await show(GetSlideshow()) { $0.slideshow.title }
        await show(Search(folder: "a/b c", words: "fish & chips", tags: ["1,2", "é"], page: nil)) {
            $0.args.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }.joined(separator: "; ")
        }
        await show(CreateNote(body: .init(noteTitle: "Milk"))) { $0.json.noteTitle }
        await show(SignUp(name: "Ann Bee", plan: "50%")) {
            $0.form.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }.joined(separator: "; ")
        }
        await show(LogIn(credentials: .basic(username: "aladdin", password: "sesame"))) { $0.user }
        await show(GetUnacceptable()) { "done" }
        await show(GetWithToken(token: "secret\r\nX-Admin: 1")) { "done" }
        await show(GetSlowly(seconds: 9), cancelling: true) { "\($0.count) bytes" }
    }

    private static func baseUrl() -> URL? {
        let arguments = CommandLine.arguments
        if let option = arguments.firstIndex(of: "--base-url"), option + 1 < arguments.count {
            return URL(string: arguments[option + 1])
        }
        return ProcessInfo.processInfo.environment["ENDPOINTS_HTTPBIN"].flatMap(URL.init(string:))
    }
}

import Foundation

#if THERE
    import SwiftyNetworking
#endif

func send() async throws {
    Recorder.answers = [(200, #"[{"name": "Ann", "age": 34}]"#)]
    #if THERE
        let people = try await withCheckedThrowingContinuation { done in
            ages { done.resume(with: $0) }
        }
        Main.got(people.map(\.age))
    #else
        Main.got(try await ages(of: ["Ann"], by: URLSession.shared))
    #endif
}

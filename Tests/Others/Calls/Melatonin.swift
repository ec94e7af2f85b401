import Foundation

#if THERE
    import Melatonin
#endif

func send() async throws {
    Recorder.answers = [(200, #"{"name": "bella", "age": 34, "count": 40138}"#)]
    for name in ["bella", "a b&c"] {
        #if THERE
            Main.got(try await age(of: name))
        #else
            Main.got(try await age(of: name, by: URLSession.shared))
        #endif
    }
}

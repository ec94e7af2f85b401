import Foundation
import Testing

@testable import EndpointsCache

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that sends much must not keep the cache busy for long.
@Suite("The time that large heads take")
struct LinearTests {
    enum Work: String, CaseIterable {
        /// A field for each, all named by `Connection`.
        case connection
        /// The same, named by `no-cache="…"`.
        case noCache
        /// A 304 with as many fields as are stored.
        case validation
        /// As many names in `Vary`.
        case vary
        case cacheControl, rateLimit
    }

    private static func run(_ work: Work, _ count: Int) {
        let fields = (0..<count).map { ResponseFields.Field(name: "X-Field-\($0)", value: "a") }
        let names = fields.map(\.name).joined(separator: ", ")
        func with(_ name: String, _ value: String) -> ResponseFields {
            ResponseFields(fields + [.init(name: name, value: value)])
        }
        switch work {
        case .connection: #expect(with("Connection", names).storable.list.isEmpty)
        case .noCache:
            #expect(with("Cache-Control", "no-cache=\"\(names)\"").storable.list.count == 1)
        case .validation:
            let stored = ResponseFields(fields)
            #expect(stored.updated(by: ResponseFields(fields)).list.count == count)
        case .vary:
            let selecting = SelectingFields(vary: names, of: ["X-Field-1": "a"])
            #expect(selecting.match(["x-field-1": "a"]))
        case .cacheControl:
            let directives = CacheDirectives(names + ", max-age=5")
            #expect(directives.seconds("max-age") == 5)
        case .rateLimit: #expect(ResponseFields(fields).withoutRateLimit.list.count == count)
        }
    }

    /// The least seconds of several runs, as other tests run meanwhile.
    private static func seconds(_ work: Work, _ count: Int) -> Double {
        (0..<3).map { _ in
            var (start, end) = (timespec(), timespec())
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
            run(work, count)
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
        }.min() ?? .infinity
    }

    @Test("Eight times the fields take less than twenty times the time", arguments: Work.allCases)
    func linear(_ work: Work) {
        let few = Self.seconds(work, 4_000)
        let many = Self.seconds(work, 32_000)
        #expect(many < 20 * few, "\(work): \(few) s, then \(many) s")
    }
}

import Endpoints
import EndpointsCache
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Row {
    private static let longerThanIdle = Duration.milliseconds(3_200)

    /// Kept connections, and those that end.
    static let kept = [
        Row("kept") { site in
            [
                await site.load(Get("hello.txt")), await site.load(Post("echo")),
                await site.load(Get("hello.txt")),
            ]
        },
        Row("idle-get") { site in
            let first = await site.load(Get("hello.txt"))
            try? await Task.sleep(for: longerThanIdle)
            return [first, await site.load(Get("hello.txt"))]
        },
        Row("idle-post") { site in
            let first = await site.load(Post("echo"))
            try? await Task.sleep(for: longerThanIdle)
            return [first, await site.load(Post("echo"))]
        },
        Row("once-post") { site in
            [await site.load(Post("once/echo")), await site.load(Post("once/echo"))]
        },
        Row("closed-head") { await $0.load(Get("close")) },
        Row("closed-head-kept") { site in
            [await site.load(Get("hello.txt")), await site.load(Get("close"))]
        },
        Row("closed-head-post") { site in
            [await site.load(Get("hello.txt")), await site.load(Post("close"))]
        },
        Row("closed-body") { await $0.load(Get("cut")) },
        Row("closed-chunks") { await $0.load(Get("cut-chunked")) },
        Row("closed-stream") { site in
            await site.load(GetStream("cut")) { "\(try await $0.count()) bytes" }
        },
    ]

    /// Lengths, and bodies that take time.
    static let bodies = [
        Row("json") { await $0.load(GetThing()) { "\($0)" } },
        Row("large") { await $0.load(Get("big.bin")) },
        Row("chunked") { await $0.load(GetText("chunked")) },
        Row("unknown-length") { await $0.load(GetText("unknown")) },
        Row("slow-body") { await $0.load(Get("slow")) },
        Row("slow-stream") { site in
            await site.load(GetStream("slow")) { stream in
                var (times, count) = ([ContinuousClock.Instant](), 0)
                for try await chunk in stream {
                    times.append(.now)
                    count += chunk.count
                }
                guard let first = times.first, let last = times.last else { return "nothing" }
                let isSlow = first.duration(to: last) > .milliseconds(300)
                return "\(count) bytes, \(isSlow ? "as they arrive" : "at once")"
            }
        },
        Row("cancelled") { site in
            let load = Task { await site.load(Get("slow")) }
            try? await Task.sleep(for: .milliseconds(300))
            load.cancel()
            return [await load.value, await site.load(Get("hello.txt"))]
        },
        Row("cancelled-at-once") { site in
            let load = Task { await site.load(Get("slow")) }
            load.cancel()
            return [await load.value, await site.load(Get("hello.txt"))]
        },
        Row("left-stream") { site in
            let words = await site.load(GetStream("slow")) { stream in
                for try await chunk in stream { return chunk.isEmpty ? "nothing" : "some bytes" }
                return "nothing"
            }
            return [words, await site.load(Get("hello.txt"))]
        },
        Row("hundred-at-once") { site in
            let words = await withTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { await site.load(Get("hello.txt")) } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            return words.sorted()
        },
        Row("trailers") { await $0.load(GetText("trailers")) },
        Row("post-empty") { await $0.load(Post("echo", bytes: 0)) },
        Row("post-large") { await $0.load(Post("echo", bytes: 1 << 20)) },
        Row("post-file") { await $0.upload(1 << 20, to: "echo") },
        Row("post-form") { site in
            do {
                let file = try TemporaryFile(bytes: 1 << 20)
                return await site.load(PostForm(path: "form", file: File(file.url)))
            } catch { return "\(error)" }
        },
        Row("expect") { await $0.load(Post("echo", bytes: 1 << 20, expect: "100-continue")) },
        Row("early-hints") { await $0.load(GetText("hints")) },
    ]

    /// Responses without a body.
    static let heads = [
        Row("head") { await $0.head("hello.txt") },
        Row("head-large") { site in
            [await site.head("big.bin"), await site.load(Get("hello.txt"))]
        },
        Row("no-content") { await $0.load(Get("empty")) },
        Row("no-content-with-body") { site in
            [await site.load(Get("empty-body")), await site.load(Get("hello.txt"))]
        },
        Row("no-content-delete") { site in
            await site.load(Delete("empty")) { "\($0.httpResponse.statusCode)" }
        },
        Row("not-found") { await $0.load(Get("missing")) },
        Row("unknown-status") { await $0.load(Get("status")) },
        Row("many-values") { await $0.field("X-Many", of: "many") ?? "none" },
        Row("own-header") { await $0.load(GetText("header", own: "BARbaz")) },
        Row("not-modified") { site in
            let tag = await site.field("ETag", of: "hello.txt")
            return await site.load(Get("hello.txt").with { $0.ifNoneMatch = tag })
        },
    ]

    /// Content codings.
    static let codings =
        ["gzip", "deflate", "br", "zstd", "identity"].map { coding in
            Row(coding) { await $0.load(Get("text.txt").with { $0.coding = coding }) }
        } + [
            Row("usual-coding") { await $0.load(Get("text.txt")) },
            Row("usual-coding-head") { site in
                await site.load(Head("text.txt")) { "\($0.httpResponse.statusCode)" }
            },
        ]

    /// Parts of a body.
    static let ranges = [
        Row("range") { await $0.load(Get("hello.txt").with { $0.range = "bytes=0-4" }) },
        Row("range-of-gzip") { await $0.load(Get("text.txt").with { $0.range = "bytes=0-4" }) },
        Row("range-last") { await $0.load(Get("hello.txt").with { $0.range = "bytes=-6" }) },
        Row("ranges") { site in
            await site.load(Get("hello.txt").with { $0.range = "bytes=0-1,4-5" }) { response in
                let type = response.httpResponse.value(forHTTPHeaderField: "Content-Type") ?? ""
                return "\(response.httpResponse.statusCode) \(type.prefix { $0 != ";" })"
            }
        },
        Row("range-too-far") { await $0.load(Get("hello.txt").with { $0.range = "bytes=99-" }) },
        Row("if-range") { site in
            let tag = await site.field("ETag", of: "hello.txt", coding: "identity")
            return await site.load(
                Get("hello.txt").with { ($0.range, $0.ifRange) = ("bytes=0-4", tag) })
        },
        Row("if-range-changed") { site in
            await site.load(
                Get("hello.txt").with { ($0.range, $0.ifRange) = ("bytes=0-4", "\"other\"") })
        },
    ]

    /// Redirects, each with a body from memory and with a file.
    static let redirects =
        [301, 302, 303, 307, 308].flatMap { status in
            [
                Row("redirect-\(status)") { await $0.load(Post("move/\(status)")) },
                Row("redirect-\(status)-file") { await $0.upload(1 << 20, to: "move/\(status)") },
            ]
        } + [
            Row("redirect-get") { await $0.load(Get("move/hello")) },
            Row("redirect-circle") { await $0.load(Get("circle")) },
            Row("redirect-slash") { await $0.load(Get("folder")) },
        ]

    /// What is too long for a server, or for a transport.
    static let limits = [
        Row("too-large") { await $0.load(Post("small", bytes: 10_000)) },
        Row("too-large-8-mb") { await $0.load(Post("small", bytes: 8 << 20)) },
        Row("too-large-file") { await $0.upload(8 << 20, to: "small") },
        Row("too-large-expect") { site in
            await site.load(Post("small", bytes: 8 << 20, expect: "100-continue"))
        },
        Row("too-large-then-get") { site in
            [await site.load(Post("small", bytes: 8 << 20)), await site.load(Get("hello.txt"))]
        },
        Row("long-header") { site in
            await site.load(
                Get("hello.txt").with { $0.long = String(repeating: "a", count: 6_000) })
        },
        Row("too-long-header") { site in
            await site.load(
                Get("hello.txt").with { $0.long = String(repeating: "a", count: 100_000) })
        },
        Row("1-mb-of-headers") { site in
            await site.load(
                Get("hello.txt").with { $0.long = String(repeating: "a", count: 1 << 20) })
        },
        Row("long-response-header") { await $0.load(GetText("headers/50")) },
        Row("1-mb-of-response-headers") { await $0.load(GetText("headers/1000")) },
    ]

    /// TLS, and HTTP/2.
    static let secure =
        [
            "tls-1.2", "tls-1.3", "tls-client-certificate", "tls-unknown-authority",
            "tls-wrong-name", "tls-expired",
        ].map { name in
            Row(name) { await $0.load(Get("hello.txt")) }
        } + [
            Row("tls-name") { await $0.load(GetText("name")) },
            Row("version") { await $0.load(GetText("version")) },
            Row("goaway") { site in
                var words: Set<String> = []
                for _ in 0..<24 { words.insert(await site.load(Get("hello.txt"))) }
                return words.sorted()
            },
            Row("goaway-at-once") { site in
                let words = await withTaskGroup(of: String.self) { group in
                    for _ in 0..<20 { group.addTask { await site.load(Get("hello.txt")) } }
                    return await group.reduce(into: Set()) { $0.insert($1) }
                }
                return words.sorted()
            },
            Row("flow-control") { site in
                [
                    await site.load(Get("8mb.bin")),
                    await site.load(Post("echo", bytes: 8 << 20)),
                ]
            },
            Row("reset-stream") { await $0.load(Get("cut")) },
        ]

    /// Caches, in a proxy and in the library.
    static let caches = [
        Row("cached-twice") { site in
            [
                await site.load(GetText("counted/twice")),
                await site.load(GetText("counted/twice")),
            ]
        },
        Row("cached-vary") { site in
            [
                await site.load(GetText("counted/vary", language: "en")),
                await site.load(GetText("counted/vary", language: "de")),
                await site.load(GetText("counted/vary", language: "en")),
            ]
        },
        Row("cached-age") { site in
            _ = await site.load(GetText("counted/age"))
            return await site.field("Age", of: "counted/age") == nil ? "no Age" : "Age"
        },
        Row("library-cache") { site in
            let site = site.by(site.transport.cached(in: .memory(megabytes: 1)))
            return [
                await site.load(GetText("counted/library")),
                await site.load(GetText("counted/library")),
            ]
        },
        Row("library-revalidates") { site in
            let site = site.by(site.transport.cached(in: .memory(megabytes: 1)))
            return [await site.load(Get("hello.txt")), await site.load(Get("hello.txt"))]
        },
    ]
}

extension Site {
    /// The status and the length of a response to HEAD.
    func head(_ path: String) async -> String {
        await load(Head(path, coding: "identity")) { head in
            let length = head.httpResponse.value(forHTTPHeaderField: "Content-Length")
            return "\(head.httpResponse.statusCode) Content-Length \(length ?? "none")"
        }
    }

    func field(_ name: String, of path: String, coding: String? = nil) async -> String? {
        var value: String?
        _ = await load(Get(path).with { $0.coding = coding }) {
            value = $0.httpResponse.value(forHTTPHeaderField: name)
            return ""
        }
        return value
    }

    func upload(_ count: Int, to path: String) async -> String {
        do {
            let file = try TemporaryFile(bytes: count)
            defer { withExtendedLifetime(file) {} }
            return await load(Upload(path: path, body: File(file.url)))
        } catch {
            return "\(error)"
        }
    }
}

extension ByteStream {
    /// How many bytes arrive.
    fileprivate func count() async throws(StreamError) -> Int {
        var iterator = makeAsyncIterator()
        var count = 0
        while let chunk = try await iterator.next() { count += chunk.count }
        return count
    }
}

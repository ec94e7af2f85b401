// swift-tools-version: 6.2

// The programs beside the library's own tests, and the examples: one package, so that they share
// what is compiled of the library. The root package names none of them.

import PackageDescription

func products(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "Endpoints") }
}
let core = products("Endpoints")
let library =
    core
    + products("EndpointsStreams", "EndpointsFormats", "EndpointsMiddleware", "EndpointsCache")
let auth = library + products("EndpointsAuth")
let durable = auth + products("EndpointsDurable")
let testing = durable + products("EndpointsTesting", "EndpointsOpenAPI")

let package = Package(
    name: "Programs",
    platforms: [.macOS(.v15), .iOS(.v17)],
    dependencies: [.package(name: "Endpoints", path: "..")],
    targets: [
        // Each stack of middleware, kind of body and of response, and ending of a load.
        .target(name: "Waiting", path: "Matrix/Waiting"),
        .executableTarget(
            name: "Matrix", dependencies: ["Waiting"] + library, path: "Matrix/Sources"),

        // What a request and its declaration cost.
        .target(name: "Allocations", path: "Benchmarks/Sources/Allocations"),
        .executableTarget(
            name: "Benchmarks", dependencies: ["Allocations"] + testing,
            path: "Benchmarks/Sources/Benchmarks"),
        // Many loads at once: see loads.py.
        .executableTarget(name: "Loads", dependencies: library, path: "Benchmarks/Sources/Loads"),
        // The instructions of a load: see load_instructions.py.
        .executableTarget(
            name: "OneLoad", dependencies: library, path: "Benchmarks/Sources/OneLoad"),
        .executableTarget(name: "OneGet", dependencies: core, path: "Benchmarks/Sources/OneGet"),
        .executableTarget(
            name: "OneGetWithParts", dependencies: library,
            path: "Benchmarks/Sources/OneGetWithParts"),
        // A cache in a folder whose processes are killed: see kills.py.
        .target(name: "Kills", path: "Benchmarks/Sources/Kills"),
        .executableTarget(
            name: "CacheKills", dependencies: ["Kills"] + library,
            path: "Benchmarks/Sources/CacheKills"),
        // Signatures for `make auth`, which compares them with others' and with a server's.
        .executableTarget(
            name: "Signatures", dependencies: auth, path: "Auth/Sources/Signatures"),
        .executableTarget(name: "Storage", dependencies: auth, path: "Auth/Sources/Storage"),
        // Signs and verifies the random messages of message_signatures.py.
        .executableTarget(
            name: "MessageSignatures", dependencies: auth, path: "Auth/Sources/MessageSignatures"),
        // Downloads, uploads and an outbox whose processes are killed, for `make durable`.
        .executableTarget(
            name: "DownloadKills", dependencies: ["Kills"] + library,
            path: "Durable/Sources/DownloadKills"),
        .executableTarget(
            name: "ModelDownloader", dependencies: library,
            path: "Durable/Sources/ModelDownloader"),

        // Uploads whose processes are killed: see Tests/Durable/uploads.py.
        .executableTarget(
            name: "UploadKills", dependencies: ["Kills"] + durable,
            path: "Durable/Sources/UploadKills"),
        // Outboxes whose processes are killed: see Tests/Durable/outbox.py.
        .executableTarget(
            name: "OutboxKills", dependencies: ["Kills"] + durable,
            path: "Durable/Sources/OutboxKills"),
        // Bodies of any size.
        .executableTarget(name: "Big", dependencies: library, path: "Benchmarks/Sources/Big"),

        // Each reader of what servers and users give, with long texts.
        .executableTarget(name: "Linear", dependencies: testing, path: "Linear/Sources"),

        // Random declarations and multipart forms.
        .executableTarget(name: "declare", dependencies: testing, path: "Fuzz/Sources/declare"),
        .executableTarget(name: "parts", dependencies: core, path: "Fuzz/Sources/parts"),

        // Long runs against the load server: see soak.sh. For Linux only, where /proc tells of
        // memory, threads and files.
        .target(name: "Malloc", path: "Soak/Sources/Malloc"),
        .executableTarget(
            name: "Soak", dependencies: ["Malloc"] + library, path: "Soak/Sources/Soak"),

        // Loads whose calls are followed: see ways.py.
        .target(name: "Trace", path: "Ways/Sources/Trace"),
        .executableTarget(
            name: "Ways", dependencies: ["Trace"] + library, path: "Ways/Sources/Ways"),

        // What a user gets from servers that people run: see servers.py.
        .executableTarget(
            name: "Servers", dependencies: library, path: "Servers/Sources"),

        // Signs in at an authorization server: see oauth.py.
        .executableTarget(
            name: "OAuthCheck", dependencies: auth, path: "Auth/Sources/OAuthCheck"),

        // An app that chats through a Matrix homeserver.
        .executableTarget(name: "Chat", dependencies: library, path: "Chat/Sources/Chat"),
    ],
    swiftLanguageModes: [.v6]
)

// Clients of well-known APIs, each with its requests, a view model and tests without a network.
package.targets += [
    "GitHub", "Stripe", "Calendar", "Chat", "ComingFrom", "Storage", "Device", "Tools", "Notes",
    "XCTest",
].map { name in
    .testTarget(name: "\(name)Example", dependencies: testing, path: "Examples/\(name)")
}

// A reverse proxy that stores responses as `.cached(in:)` does, for the public suite of tests of
// HTTP caches. It alone needs another package, which nothing else waits for.
if Context.environment["ENDPOINTS_CACHE_PROXY"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"))
    package.targets.append(
        .executableTarget(
            name: "CacheProxy", dependencies: library + ["FlyingFox"],
            path: "CacheProxy/Sources/CacheProxy"))
}

// What `Tests/Import/check.sh` has imported from a document.
if Context.environment["ENDPOINTS_ZOO"] != nil {
    package.targets += [
        .executableTarget(
            name: "Zoo", dependencies: testing, path: ".build-zoo/Sources/Zoo"),
        .executableTarget(
            name: "Templates", dependencies: testing, path: ".build-zoo/Sources/Templates"),
        .testTarget(
            name: "ZooTests", dependencies: ["Zoo"] + testing, path: ".build-zoo/Tests/ZooTests"),
    ]
}

for target in package.targets {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}

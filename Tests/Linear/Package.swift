// swift-tools-version: 6.2

// Feeds each parser of the library texts of one and two megabytes, and fails where the second takes
// more than 2.6 times as long: `make linear`. The targets are links to those of the
// library, because most parsers aren't public.

import PackageDescription

let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]
let parts = ["Streams", "Formats", "Middleware", "Cache", "Testing", "OpenAPI"].map {
    "Endpoints\($0)"
}
let more = [
    "EndpointsTesting": ["EndpointsFormats"],
    "EndpointsOpenAPI": ["EndpointsFormats", "EndpointsDocuments"],
]

let package = Package(
    name: "Linear",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Endpoints", path: "Endpoints", swiftSettings: testable),
        .target(
            name: "EndpointsShared", dependencies: ["Endpoints"], path: "EndpointsShared",
            swiftSettings: testable),
        .target(
            name: "EndpointsDocuments", path: "EndpointsDocuments", swiftSettings: testable),
        .executableTarget(
            name: "Linear",
            dependencies: (["Endpoints", "EndpointsShared"] + parts).map { .byName(name: $0) }),
    ]
        + parts.map { part in
            .target(
                name: part,
                dependencies: (["Endpoints", "EndpointsShared"] + more[part, default: []]).map {
                    .byName(name: $0)
                },
                path: part, swiftSettings: testable)
        },
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Endpoints",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "Endpoints", targets: ["Endpoints"]),
        .library(name: "EndpointsStreams", targets: ["EndpointsStreams"]),
        .library(name: "EndpointsFormats", targets: ["EndpointsFormats"]),
        .library(name: "EndpointsMiddleware", targets: ["EndpointsMiddleware"]),
        .library(name: "EndpointsCache", targets: ["EndpointsCache"]),
        .library(name: "EndpointsAuth", targets: ["EndpointsAuth"]),
        .library(name: "EndpointsDurable", targets: ["EndpointsDurable"]),
        .library(name: "EndpointsTesting", targets: ["EndpointsTesting"]),
        .library(name: "EndpointsOpenAPI", targets: ["EndpointsOpenAPI"]),
        .executable(name: "endpoints-import", targets: ["EndpointsImport"]),
    ],
    targets: [
        .target(name: "Endpoints"),
        // What several parts need and a program with the core alone doesn't.
        .target(name: "EndpointsShared", dependencies: ["Endpoints"]),
        // Files of several processes in one folder: locks, and files that are whole or as before.
        .target(name: "EndpointsFolder", dependencies: ["Endpoints"]),
        // Reads structured fields (RFC 9651), for those parts that read such headers.
        .target(
            name: "EndpointsStructuredFields", dependencies: ["Endpoints", "EndpointsShared"]),
        .target(
            name: "EndpointsStreams",
            dependencies: [
                "Endpoints", "EndpointsShared", "EndpointsFolder", "EndpointsStructuredFields",
            ]),
        .target(name: "EndpointsFormats", dependencies: ["Endpoints", "EndpointsShared"]),
        .target(
            name: "EndpointsMiddleware",
            dependencies: ["Endpoints", "EndpointsShared", "EndpointsStructuredFields"]),
        .target(
            name: "EndpointsCache",
            dependencies: ["Endpoints", "EndpointsShared", "EndpointsFolder"]),
        .target(
            name: "EndpointsAuth",
            dependencies: [
                "Endpoints", "EndpointsShared", "EndpointsFolder", "EndpointsMiddleware",
                "EndpointsStructuredFields",
            ]),
        .target(
            name: "EndpointsDurable",
            dependencies: [
                "Endpoints", "EndpointsShared", "EndpointsFolder", "EndpointsStreams",
                "EndpointsMiddleware", "EndpointsStructuredFields",
            ]),
        .target(
            name: "EndpointsTesting",
            dependencies: [
                "Endpoints", "EndpointsShared", "EndpointsFolder", "EndpointsFormats",
                "EndpointsStreams",
            ]),
        // Reads OpenAPI documents, for the command and for the comparison with declarations.
        .target(name: "EndpointsDocuments"),
        .target(
            name: "EndpointsOpenAPI",
            dependencies: [
                "Endpoints", "EndpointsShared", "EndpointsFormats", "EndpointsDocuments",
            ]),
        // Writes declarations from an OpenAPI document. It only writes text, and needs no library.
        .executableTarget(name: "EndpointsImport", dependencies: ["EndpointsDocuments"]),
        .executableTarget(
            name: "endpoints-demo",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsMiddleware", "EndpointsCache",
            ]),
        .testTarget(
            name: "EndpointsTests",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsFormats", "EndpointsMiddleware",
                "EndpointsCache", "EndpointsOpenAPI", "EndpointsTesting", "EndpointsShared",
                "EndpointsStructuredFields",
            ]),
        .testTarget(
            name: "EndpointsTestingTests",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsFormats", "EndpointsMiddleware",
                "EndpointsTesting", "EndpointsShared",
            ],
            exclude: ["Recording/Chromium.har"]),
        .testTarget(
            name: "EndpointsCacheTests",
            dependencies: [
                "Endpoints", "EndpointsCache", "EndpointsMiddleware", "EndpointsStreams",
                "EndpointsTesting", "EndpointsShared",
            ]),
        .testTarget(
            name: "EndpointsAuthTests",
            dependencies: [
                "Endpoints", "EndpointsAuth", "EndpointsMiddleware", "EndpointsStreams",
                "EndpointsCache", "EndpointsFormats", "EndpointsTesting", "EndpointsShared",
                "EndpointsDocuments", "EndpointsStructuredFields",
            ]),
        .testTarget(
            name: "EndpointsDurableTests",
            dependencies: [
                "Endpoints", "EndpointsCache", "EndpointsDurable", "EndpointsAuth",
                "EndpointsMiddleware", "EndpointsStreams", "EndpointsTesting", "EndpointsShared",
                "EndpointsFolder",
            ]),
        .testTarget(
            name: "EndpointsOpenAPITests",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsFormats", "EndpointsOpenAPI",
                "EndpointsDocuments",
            ]),
        .testTarget(
            name: "EndpointsImportTests", dependencies: ["EndpointsImport", "EndpointsDocuments"]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Endpoints",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "Endpoints", targets: ["Endpoints"]),
        .library(name: "EndpointsStreams", targets: ["EndpointsStreams"]),
        .library(name: "EndpointsForms", targets: ["EndpointsForms"]),
        .library(name: "EndpointsMiddleware", targets: ["EndpointsMiddleware"]),
        .library(name: "EndpointsTesting", targets: ["EndpointsTesting"]),
    ],
    targets: [
        .target(name: "Endpoints"),
        .target(name: "EndpointsStreams", dependencies: ["Endpoints"]),
        .target(name: "EndpointsForms", dependencies: ["Endpoints"]),
        .target(name: "EndpointsMiddleware", dependencies: ["Endpoints"]),
        .target(name: "EndpointsTesting", dependencies: ["Endpoints"]),
        .executableTarget(name: "endpoints-demo", dependencies: ["Endpoints"]),
        .testTarget(
            name: "EndpointsTests",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsForms", "EndpointsMiddleware",
                "EndpointsTesting",
            ]),
        .testTarget(
            name: "EndpointsTestingTests",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsForms", "EndpointsMiddleware",
                "EndpointsTesting",
            ],
            exclude: ["Chromium.har"]),
    ],
    swiftLanguageModes: [.v6]
)

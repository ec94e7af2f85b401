// swift-tools-version: 6.2

// What is logged by swift-log and traced by swift-distributed-tracing: two files to copy into a
// server's code. The root package has no dependencies.

import PackageDescription

let endpoints = Target.Dependency.product(name: "Endpoints", package: "Endpoints")
let middleware = Target.Dependency.product(name: "EndpointsMiddleware", package: "Endpoints")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")

let package = Package(
    name: "Observability",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "Endpoints", path: "../../.."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
    ],
    targets: [
        .target(
            name: "EndpointsLogging",
            dependencies: [
                endpoints, middleware, .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "EndpointsTracing", dependencies: [endpoints, tracing]),
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                "EndpointsLogging", "EndpointsTracing", endpoints, middleware, tracing,
                .product(name: "EndpointsTesting", package: "Endpoints"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryLogging", package: "swift-log"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

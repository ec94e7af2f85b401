// swift-tools-version: 6.2

// What is logged by swift-log, traced by swift-distributed-tracing and measured by swift-metrics:
// a file each to copy into a server's code, and `ClientRequest.swift` beside it. The root package
// has no dependencies.

import PackageDescription

let endpoints = Target.Dependency.product(name: "Endpoints", package: "Endpoints")
let middleware = Target.Dependency.product(name: "EndpointsMiddleware", package: "Endpoints")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")

let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let package = Package(
    name: "Observability",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "EndpointsLogging", targets: ["EndpointsLogging"]),
        .library(name: "EndpointsMetrics", targets: ["EndpointsMetrics"]),
        .library(name: "EndpointsTracing", targets: ["EndpointsTracing"]),
    ],
    dependencies: [
        .package(name: "Endpoints", path: "../../.."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "EndpointsLogging",
            dependencies: [
                "HTTPConventions", endpoints, middleware,
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "EndpointsMetrics", dependencies: ["HTTPConventions", endpoints, metrics]),
        .target(
            name: "EndpointsTracing", dependencies: ["HTTPConventions", endpoints, tracing]),
        .target(name: "HTTPConventions", dependencies: [endpoints]),
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                "EndpointsLogging", "EndpointsMetrics", "EndpointsTracing", "HTTPConventions",
                endpoints, metrics, middleware, tracing,
                .product(name: "EndpointsTesting", package: "Endpoints"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

// Clients of well-known APIs, each with its requests, a view model and tests without a network.

import PackageDescription

let products: [Target.Dependency] = [
    .product(name: "Endpoints", package: "Endpoints"),
    .product(name: "EndpointsStreams", package: "Endpoints"),
    .product(name: "EndpointsFormats", package: "Endpoints"),
    .product(name: "EndpointsMiddleware", package: "Endpoints"),
    .product(name: "EndpointsTesting", package: "Endpoints"),
]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: ["GitHub", "Stripe", "Calendar", "Chat", "ComingFrom", "XCTest"].map {
        (name: String) in
        .testTarget(name: "\(name)Example", dependencies: products, path: name)
    },
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

// Sends requests through every stack of middleware, with every kind of body and response, to a
// server that ends each load in every way: `make test CHECK=matrix`.

import PackageDescription

let package = Package(
    name: "Matrix",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: [
        .executableTarget(
            name: "Matrix",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsMiddleware", "EndpointsCache",
            ].map {
                .product(name: $0, package: "Endpoints")
            },
            path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

// Follows the calls of a load: see Tests/Support/ways.py, which builds and runs this.

import PackageDescription

let package = Package(
    name: "Ways",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: [
        .target(name: "Trace"),
        .executableTarget(
            name: "Ways",
            dependencies: [
                "Trace", .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsStreams", package: "Endpoints"),
                .product(name: "EndpointsCache", package: "Endpoints"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

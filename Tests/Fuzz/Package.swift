// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: [
        .executableTarget(
            name: "declare",
            dependencies: [
                .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsFormats", package: "Endpoints"),
                .product(name: "EndpointsTesting", package: "Endpoints"),
                // For what imports.py compiles.
                .product(name: "EndpointsStreams", package: "Endpoints"),
            ]),
        .executableTarget(
            name: "parts", dependencies: [.product(name: "Endpoints", package: "Endpoints")]),
    ],
    swiftLanguageModes: [.v6]
)

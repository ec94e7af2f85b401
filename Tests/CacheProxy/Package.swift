// swift-tools-version: 6.2

// A reverse proxy that stores responses as `.cached(in:)` does, for the public suite of tests of
// HTTP caches: `make cache-tests SUITE=path`.

import PackageDescription

let package = Package(
    name: "CacheProxy",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "Endpoints", path: "../.."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(
            name: "CacheProxy",
            dependencies: [
                .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsCache", package: "Endpoints"),
                "FlyingFox",
            ])
    ],
    swiftLanguageModes: [.v6]
)

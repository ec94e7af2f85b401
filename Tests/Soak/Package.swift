// swift-tools-version: 6.2

// Long runs against the load server: see soak.sh. For Linux only, where /proc tells of memory,
// threads and files.

import PackageDescription

let package = Package(
    name: "Soak",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: [
        .target(name: "Malloc"),
        .executableTarget(
            name: "Soak",
            dependencies: [
                "Malloc", .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsStreams", package: "Endpoints"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

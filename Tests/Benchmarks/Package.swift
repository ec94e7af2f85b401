// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: [
        .target(name: "Allocations"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Allocations", .product(name: "Endpoints", package: "Endpoints")]),
        // Bodies of any size. It is here, as the library is then built once for both.
        .executableTarget(
            name: "Big", dependencies: [.product(name: "Endpoints", package: "Endpoints")]),
    ],
    swiftLanguageModes: [.v6]
)

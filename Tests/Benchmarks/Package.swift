// swift-tools-version: 6.2

import PackageDescription

let library: [Target.Dependency] = [
    "Endpoints", "EndpointsStreams", "EndpointsFormats", "EndpointsMiddleware", "EndpointsCache",
].map {
    .product(name: $0, package: "Endpoints")
}

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: [
        .target(name: "Allocations"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Allocations"] + library),
        .executableTarget(
            name: "OneGet", dependencies: [.product(name: "Endpoints", package: "Endpoints")]),
        .executableTarget(name: "OneGetWithParts", dependencies: library),
        // A cache in a folder whose processes are killed: see kills.py.
        .target(name: "Kills"),
        .executableTarget(name: "CacheKills", dependencies: ["Kills"] + library),
        // Bodies of any size. It is here, as the library is then built once for both.
        .executableTarget(
            name: "Big", dependencies: library),
    ],
    swiftLanguageModes: [.v6]
)

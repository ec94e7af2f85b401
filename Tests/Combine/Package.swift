// swift-tools-version: 6.2

// The library with OpenCombine instead of Combine, which Linux doesn't have. The root package has
// no dependencies.

import PackageDescription

let package = Package(
    name: "EndpointsCombine",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0")
    ],
    targets: [
        .target(
            name: "Endpoints",
            dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
            path: "Endpoints",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "CombineTests",
            dependencies: [
                "Endpoints", "EndpointsStreams", "EndpointsTesting",
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            path: "CombineTests",
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)

// The parts of the library. The documentation's blocks are compiled with all of them.
package.targets.append(
    .target(name: "EndpointsShared", dependencies: ["Endpoints"], path: "EndpointsShared"))
package.targets.append(
    .target(name: "EndpointsFolder", dependencies: ["Endpoints"], path: "EndpointsFolder"))
package.targets.append(
    .target(
        name: "EndpointsStructuredFields", dependencies: ["Endpoints", "EndpointsShared"],
        path: "EndpointsStructuredFields"))
package.targets.append(.target(name: "EndpointsDocuments", path: "EndpointsDocuments"))
let parts: [(name: String, others: [Target.Dependency])] = [
    ("Streams", ["EndpointsFolder", "EndpointsStructuredFields"]), ("Formats", []),
    ("Middleware", ["EndpointsStructuredFields"]), ("Cache", ["EndpointsFolder"]),
    ("Auth", ["EndpointsFolder", "EndpointsMiddleware", "EndpointsStructuredFields"]),
    (
        "Durable",
        [
            "EndpointsFolder", "EndpointsStreams", "EndpointsMiddleware",
            "EndpointsStructuredFields",
        ]
    ),
    ("Testing", ["EndpointsFolder", "EndpointsFormats"]),
    ("OpenAPI", ["EndpointsFormats", "EndpointsDocuments"]),
]
package.targets += parts.map { part, others in
    .target(
        name: "Endpoints\(part)", dependencies: ["Endpoints", "EndpointsShared"] + others,
        path: "Endpoints\(part)",
        swiftSettings: [.treatAllWarnings(as: .error)])
}

// A module for each example of the seed document, which Tests/Compile/seed.sh has cut out. Their
// warnings about unused values are ignored.
if let names = Context.environment["ENDPOINTS_SEED_MODULES"] {
    let modules = names.split(separator: " ").map(String.init)
    let libraries: [Target.Dependency] = [
        "Endpoints", .product(name: "OpenCombine", package: "OpenCombine"),
    ]
    package.targets += modules.map { module in
        .target(
            name: module, dependencies: libraries + ["SeedSupport"],
            path: ".build-seed/\(module)",
            swiftSettings: [.unsafeFlags(["-suppress-warnings"])])
    }
    package.targets += [
        .target(
            name: "SeedSupport", dependencies: ["Endpoints"], path: "SeedSupport",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "SeedTests",
            dependencies: libraries + ["SeedSupport"] + modules.map { .target(name: $0) },
            path: "SeedTests",
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
}

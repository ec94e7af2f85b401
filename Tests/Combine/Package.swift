// swift-tools-version: 6.2

// The library with OpenCombine in the place of Combine, which Linux doesn't have. The root package stays
// without dependencies.

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
                "Endpoints", .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            path: "CombineTests",
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

// Requests and responses as those of swift-http-types, which servers and other clients use. The
// root package has no dependencies.

import PackageDescription

let types = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let endpoints = Target.Dependency.product(name: "Endpoints", package: "Endpoints")

let package = Package(
    name: "EndpointsHTTPTypes",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "EndpointsHTTPTypes", targets: ["EndpointsHTTPTypes"])],
    dependencies: [
        .package(name: "Endpoints", path: "../../.."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    ],
    targets: [
        .target(
            name: "EndpointsHTTPTypes", dependencies: [types],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "HTTPTypesTests", dependencies: ["EndpointsHTTPTypes", endpoints, types],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)

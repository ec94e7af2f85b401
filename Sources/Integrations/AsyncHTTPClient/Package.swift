// swift-tools-version: 6.2

// A transport that sends requests with AsyncHTTPClient. The root package has no dependencies.

import PackageDescription

let package = Package(
    name: "EndpointsAsyncHTTPClient",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "EndpointsAsyncHTTPClient", targets: ["EndpointsAsyncHTTPClient"])
    ],
    dependencies: [
        .package(name: "Endpoints", path: "../../.."),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    ],
    targets: [
        .target(
            name: "EndpointsAsyncHTTPClient",
            dependencies: [
                .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // Measures with this transport what Tests/Benchmarks measures with `URLSession`.
        .executableTarget(
            name: "Big",
            dependencies: [
                "EndpointsAsyncHTTPClient", .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsStreams", package: "Endpoints"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "Loads",
            dependencies: [
                "EndpointsAsyncHTTPClient", .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsMiddleware", package: "Endpoints"),
                .product(name: "EndpointsStreams", package: "Endpoints"),
                .product(name: "EndpointsCache", package: "Endpoints"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // What a user gets from servers that people run: see Tests/Servers, which has the rows.
        .executableTarget(
            name: "Servers",
            dependencies: [
                "EndpointsAsyncHTTPClient", .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsStreams", package: "Endpoints"),
                .product(name: "EndpointsCache", package: "Endpoints"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "AsyncHTTPClientTests",
            dependencies: [
                "EndpointsAsyncHTTPClient", .product(name: "Endpoints", package: "Endpoints"),
                .product(name: "EndpointsStreams", package: "Endpoints"),
                .product(name: "EndpointsMiddleware", package: "Endpoints"),
                .product(name: "EndpointsTesting", package: "Endpoints"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)

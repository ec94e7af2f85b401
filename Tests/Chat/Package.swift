// swift-tools-version: 6.2

// An app that chats through a Matrix homeserver: `make chat`.

import PackageDescription

let package = Package(
    name: "Chat",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Endpoints", path: "../..")],
    targets: [
        .executableTarget(
            name: "Chat",
            dependencies: ["Endpoints", "EndpointsStreams", "EndpointsMiddleware"].map {
                .product(name: $0, package: "Endpoints")
            })
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Toys",
    platforms: [.iOS(.v15), .macOS(.v12)],
    dependencies: [.package(path: "../Endpoints")],
    targets: [
        .target(
            name: "Toys",
            dependencies: [
                .product(name: "Endpoints", package: "Endpoints")
            ]),
        .testTarget(
            name: "ToysTests",
            dependencies: [
                "Toys",
                .product(name: "EndpointsTesting", package: "Endpoints"),
            ]),
    ])

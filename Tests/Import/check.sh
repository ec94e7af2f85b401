#!/usr/bin/env bash
# Imports a document of 60 operations, and checks that the text is formatted, compiles without a warning, makes the
# requests of given values, and is the same when it is imported again. A server that is made of the document, with
# openapi-core as the judge, gets all requests. The tests of the document's examples must pass. Then writes the document
# of the declarations, which must be valid, have no differences from the first one, and have one from each of 200
# documents with a random change.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$PWD/.build/venv/bin/python
[ -x "$python" ] || { echo "there is no $python: run \`make .build/venv/ready\`" >&2; exit 1; }
package=$PWD/.build/import
rm -rf "$package/Sources" "$package/Tests"
mkdir -p "$package/Sources/Zoo"
$python -B Tests/Import/document.py "$package/zoo.json" "$package/some.json"
$python -B Tests/Import/values.py "$package/zoo.json" "$package/values.json" 1
swift build --quiet --product endpoints-import
import() {
    .build/debug/endpoints-import "$package/zoo.json" --into "$package/Sources/Zoo" --calls "$1" \
        --tests "$package/Tests/ZooTests"
}
import "$package/values.json"
find "$package/Sources" -type f -exec md5sum {} + | sort > "$package/first"
import "$package/values.json"
find "$package/Sources" -type f -exec md5sum {} + | sort | cmp - "$package/first"
swift format lint --strict --configuration .swift-format --recursive "$package/Sources"

cat > "$package/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let products = ["Endpoints", "EndpointsFormats", "EndpointsStreams", "EndpointsTesting"]
let package = Package(
    name: "Zoo", platforms: [.macOS(.v14)],
    dependencies: [.package(name: "Endpoints", path: "$PWD")],
    targets: [
        .executableTarget(
            name: "Zoo", dependencies: products.map { .product(name: \$0, package: "Endpoints") }),
        .testTarget(
            name: "ZooTests",
            dependencies: ["Zoo", .product(name: "EndpointsTesting", package: "Endpoints")]),
    ])
END
cp Tests/Import/main.swift "$package/Sources/Zoo"
# calls VALUES: compares the requests made of values with what the document says.
calls() {
    swift build --quiet --package-path "$package" --build-tests -Xswiftc -warnings-as-errors
    "$package/.build/debug/Zoo" > "$package/calls.jsonl"
    $python -B Tests/Import/calls.py "$package/zoo.json" "$1" "$package/calls.jsonl"
}
calls "$package/values.json"

zoo=$package/.build/debug/Zoo
"$zoo" --document "$package/zoo.json" "$package/export.json"
$python -m openapi_spec_validator "$package/export.json"
rm -rf "$package/again"
.build/debug/endpoints-import "$package/export.json" --into "$package/again" | grep -q '^60 requests, 0 skipped'
$python -B Tests/Import/changes.py "$package/zoo.json" "$package/changes" "$zoo"

$python -B Tests/Import/judge.py "$package/zoo.json" -- "$package/.build/debug/Zoo"
swift test --quiet --disable-xctest --skip-build --package-path "$package"
import "$package/some.json"
calls "$package/some.json"

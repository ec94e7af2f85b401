#!/usr/bin/env bash
# Imports a document of 60 operations, and checks that the text is formatted, compiles without a warning, makes the
# requests of given values, and is the same when it is imported again. Then writes the document of the declarations, which
# must be valid, have no differences from the first one, and have one from each of 200 documents with a random change.
set -euo pipefail
cd "$(dirname "$0")/../.."

package=$PWD/.build/import
rm -rf "$package/Sources"
mkdir -p "$package/Sources/Calls"
python3 Tests/Import/document.py "$package/zoo.json" "$package/values.json"
swift build --quiet --product endpoints-import
import() {
    .build/debug/endpoints-import "$package/zoo.json" --into "$package/Sources/Calls" --calls "$package/values.json"
}
import
find "$package/Sources" -type f -exec md5sum {} + | sort > "$package/first"
import
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
            name: "Calls", dependencies: products.map { .product(name: \$0, package: "Endpoints") })
    ])
END
sed -n 's/^struct \(.*\): ZooRequest.*/    \1.self,/p' "$package"/Sources/Calls/*.swift > "$package/types"
sed -e "/TYPES/r $package/types" -e '/TYPES/d' Tests/Import/main.swift > "$package/Sources/Calls/main.swift"
# The list of all requests has those that are deprecated.
swift build --quiet --package-path "$package" -Xswiftc -warnings-as-errors \
    -Xswiftc -Wwarning -Xswiftc DeprecatedDeclaration
"$package/.build/debug/Calls" > "$package/calls.jsonl"
python3 Tests/Import/calls.py "$package/calls.jsonl" "$package/values.json"

"$package/.build/debug/Calls" "$package/zoo.json" "$package/export.json"
"${PYTHON:-.build/venv/bin/python}" -m openapi_spec_validator "$package/export.json"
rm -rf "$package/again"
.build/debug/endpoints-import "$package/export.json" --into "$package/again" | grep -q '^60 requests, 0 skipped'
python3 Tests/Import/changes.py "$package/zoo.json" "$package/changes" "$package/.build/debug/Calls"

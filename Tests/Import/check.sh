#!/usr/bin/env bash
# Imports a document of 60 operations, and checks that the text is formatted, compiles without a warning, makes the
# requests of given values, and is the same when it is imported again. A server that is made of the document, with
# openapi-core as the judge, gets all requests. The tests of the document's examples must pass. Then writes the document
# of the declarations, which must be valid, have no differences from the first one, and have one from each of 400
# documents with a random change. The examples of RFC 6570 are a second document.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=$PWD/.build/venv/bin/python
[ -x "$python" ] || { echo "there is no $python: run \`make .build/venv/ready\`" >&2; exit 1; }
# What is imported are targets of the package in Tests, which shares what is compiled of the library.
package=$PWD/Tests/.build-zoo
export ENDPOINTS_ZOO=1
rm -rf "$package/Sources" "$package/Tests"
mkdir -p "$package/Sources/Zoo"
$python -B Tests/Import/document.py "$package/zoo.json" "$package/some.json"
$python -B Tests/Import/values.py "$package/zoo.json" "$package/values.json" 1
Tests/Support/build.sh . --product endpoints-import
programs=$(echo "$PWD"/.build/checks/*/debug)
zoo=$programs/Zoo
import() {
    "$programs/endpoints-import" "$package/zoo.json" --into "$package/Sources/Zoo" --calls "$1" \
        --tests "$package/Tests/ZooTests"
}
import "$package/values.json"
find "$package/Sources" -type f -exec md5sum {} + | sort > "$package/first"
import "$package/values.json"
find "$package/Sources" -type f -exec md5sum {} + | sort | cmp - "$package/first"
swift format lint --strict --configuration .swift-format --recursive "$package/Sources"

# The styles of OpenAPI, as the expressions of RFC 6570 that they are made of, must be expanded as in its examples.
mkdir -p "$package/Sources/Templates"
$python -B Tests/Import/templates.py write "$package/templates.json" "$package/templates-values.json"
"$programs/endpoints-import" "$package/templates.json" --into "$package/Sources/Templates" \
    --calls "$package/templates-values.json"
echo 'try Calls.printAll()' > "$package/Sources/Templates/main.swift"

# In a target whose code is on the main actor by default, as Xcode sets it for a new app, it compiles too.
for target in Zoo Templates; do
    find "$package/Sources/$target" -name '*.swift' -not -name main.swift -exec \
        swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors -default-isolation MainActor \
        -module-name "$target" -I "$programs/Modules" {} +
done

cp Tests/Import/main.swift "$package/Sources/Zoo"
# calls VALUES: compares the requests made of values with what the document says.
calls() {
    Tests/Support/build.sh Tests --product Zoo
    Tests/Support/build.sh Tests --product ProgramsPackageTests
    "$zoo" > "$package/calls.jsonl"
    $python -B Tests/Import/calls.py "$package/zoo.json" "$1" "$package/calls.jsonl"
}
calls "$package/values.json"

Tests/Support/build.sh Tests --product Templates
"$programs/Templates" > "$package/templates.jsonl"
$python -B Tests/Import/templates.py compare "$package/templates.jsonl"

"$zoo" --document "$package/zoo.json" "$package/export.json"
$python -m openapi_spec_validator "$package/export.json"
rm -rf "$package/again"
"$programs/endpoints-import" "$package/export.json" --into "$package/again" | grep -q '^60 requests, 0 skipped'
$python -B Tests/Import/changes.py "$package/zoo.json" "$package/changes" "$zoo"

$python -B Tests/Import/judge.py "$package/zoo.json" -- "$zoo"
swift test --quiet --disable-xctest --skip-build --package-path Tests --scratch-path .build/checks --filter ZooTests
import "$package/some.json"
calls "$package/some.json"

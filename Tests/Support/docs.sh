#!/usr/bin/env bash
# Builds the documentation into .build/docs; a warning, such as a link to nowhere, fails it.

cd "$(dirname "$0")/../.." || exit 1
set -e

python3 Tests/Support/pages.py

# A scratch path of its own, made anew: symbol graphs are written only when the module compiles.
scratch=.build-docs
graphs=$PWD/$scratch/graphs
rm -rf $scratch .build/docs
mkdir -p "$graphs" .build
swift build --quiet --scratch-path $scratch --target Endpoints -Xswiftc -emit-symbol-graph \
    -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs" -Xswiftc -emit-extension-block-symbols
docc convert Docs/Endpoints.docc --additional-symbol-graph-dir "$graphs" --output-path .build/docs \
    --fallback-display-name Endpoints --fallback-bundle-identifier Endpoints --warnings-as-errors
echo "the documentation is in .build/docs"

#!/usr/bin/env bash
# Compiles the Swift blocks of the seed document, and runs them: see seed.py and Tests/Combine/SeedTests.
# ENDPOINTS_SHARED says where the document's folder is, if not beside the repository.

cd "$(dirname "$0")/../.." || exit 1

seeds=${ENDPOINTS_SHARED:-$PWD/../shared}/seeds
document=$(find "$seeds" -name '004_*.txt')
[ -f "$document" ] || { echo "there is not one $seeds/004_*.txt" >&2; exit 1; }

modules=$(python3 -B Tests/Compile/seed.py "$document" Tests/Combine/.build-seed) || exit 1
export ENDPOINTS_SEED_MODULES=$(echo $modules)
Tests/Support/build.sh Tests/Combine --build-tests &&
    swift test --quiet --disable-xctest --skip-build --package-path Tests/Combine --filter SeedTests

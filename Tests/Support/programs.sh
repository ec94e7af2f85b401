#!/usr/bin/env bash
# Builds programs of the package in Tests, which share what is compiled of the library: programs.sh release Matrix Big

cd "$(dirname "$0")/.." || exit 1
configuration=$1
shift
for product in "$@"; do
    swift build --quiet -c "$configuration" --product "$product" || exit 1
done

#!/usr/bin/env bash
# Prints how many lines of Sources/Endpoints the tests run: a table of the files, then the share of all.

cd "$(dirname "$0")/../.." || exit 1
set -e -o pipefail

scratch=.build-coverage
ENDPOINTS_SERVERS=required .build/venv/bin/python Tests/Support/serve.py -- \
    swift test --disable-xctest --scratch-path $scratch --enable-code-coverage

# The toolchain's own llvm-cov, which knows the version of the profile, lies beside its swift.
swift=$(python3 -c 'import os, shutil; print(os.path.realpath(shutil.which("swift")))')
"$(dirname "$swift")/llvm-cov" report $scratch/debug/EndpointsPackageTests.xctest \
    -instr-profile $scratch/debug/codecov/default.profdata -show-region-summary=false \
    -show-branch-summary=false Sources/Endpoints |
    tee /dev/stderr | awk '$1 == "TOTAL" { printf "lines: %.1f %%\n", $7 }'

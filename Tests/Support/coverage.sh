#!/usr/bin/env bash
# Prints how many lines of the library the tests run: a table of the files, then the share of all.

cd "$(dirname "$0")/../.." || exit 1
set -e -o pipefail
. Tests/Support/timed.sh

scratch=.build-coverage
# The toolchain's own llvm-cov, which knows the version of the profile, lies beside its swift.
tools=$(dirname "$(python3 -c 'import os, shutil; print(os.path.realpath(shutil.which("swift")))')")

# run NAME OPTION...: runs tests and keeps what they ran.
run() {
    local name=$1
    shift
    ENDPOINTS_SERVERS=required .build/venv/bin/python Tests/Support/serve.py -- \
        swift test --quiet --disable-xctest --skip-build --scratch-path $scratch --enable-code-coverage "$@"
    cp $scratch/debug/codecov/default.profdata "$scratch/$name.profdata"
}

swift build --quiet --build-tests --scratch-path $scratch --enable-code-coverage
run untimed --skip "$TIMED"
run timed --filter "$TIMED"
"$tools/llvm-profdata" merge $scratch/untimed.profdata $scratch/timed.profdata -o $scratch/all.profdata
"$tools/llvm-cov" report $scratch/debug/EndpointsPackageTests.xctest \
    -instr-profile $scratch/all.profdata -show-region-summary=false \
    -show-branch-summary=false Sources/Endpoints* |
    tee /dev/stderr | awk '$1 == "TOTAL" { printf "lines: %.1f %%\n", $7 }'

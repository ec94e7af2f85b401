#!/usr/bin/env bash
# Runs every check there is; `make test` calls it. A check that fails doesn't hold up those after it, but
# fails the whole. What can't be checked on this machine is said at the end; under CI=true it is a failure.

cd "$(dirname "$0")/../.." || exit 1
set -o pipefail

PYTHON=.build/venv/bin/python
COMBINE=Tests/Combine
# The suites whose loads have a deadline.
TIMED='FaultTests|LimitTests|StreamTests|TrapTests|CancellationTests'
[ -x $PYTHON ] || { echo "there is no $PYTHON: run \`make test\`, which makes it" >&2; exit 1; }

# Without this, tests that need a server would be left out where none has an address.
export ENDPOINTS_SERVERS=required

passed=0 failed=0 summary='' log=.build/check.log

# check WHAT COMMAND...: runs a command under a heading and keeps how it ended.
check() {
    local what=$1 began=$SECONDS word=passed
    shift
    printf '\n== %s\n' "$what"
    if "$@" 2>&1 | tee $log; then passed=$((passed + 1)); else word=FAILED failed=$((failed + 1)); fi
    printf -- '-- %s in %s s\n' $word $((SECONDS - began))
    summary="$summary  $word: $what$(sed -n 's/.*Test run with \(.* suites*\) .*/ (\1)/p' $log)"$'\n'
}

# leave_out WHAT WHY: keeps what can't be checked here.
leave_out() {
    summary="$summary  left out: $1, as $2"$'\n'
    [ "${CI:-}" != true ] || failed=$((failed + 1))
}

# serve COMMAND...: runs a command with the tests' servers beside it, their addresses in its environment.
serve() {
    $PYTHON Tests/Support/serve.py -- "$@"
}

python() {
    $PYTHON -B "$@"
}

# The benchmark's count of allocations; its four ways to make a request must make the same ones.
allocations() {
    swift build --quiet -c release --package-path Tests/Benchmarks &&
        Tests/Benchmarks/.build/release/Benchmarks allocations
}

# Bodies of 64 MB, as they arrive, saved and read slowly, may not be in memory.
big() {
    $PYTHON Tests/Support/serve.py --only faults -- Tests/Benchmarks/.build/release/Big 64
}

# The seed and the corpora lie beside the repository, where they do.
shared=${ENDPOINTS_SHARED:-$PWD/../shared}
if [ -d "$shared/seeds" ]; then export ENDPOINTS_SHARED=$shared; else unset ENDPOINTS_SHARED; fi

# Without this, nobody would see that tests were left out.
[ "$(serve printenv ENDPOINTS_RECORDER_TLS)" != impossible ] ||
    leave_out 'the tests with TLS' 'this machine lets no test add a certificate to trust'

check 'the library, the demo and the tests build without a warning' \
    swift build --quiet --build-tests -Xswiftc -warnings-as-errors
check 'unit and server tests' \
    serve swift test --quiet --disable-xctest --skip-build --skip "$TIMED"
check 'tests that must end in time, apart from those that need the processor' \
    serve swift test --quiet --disable-xctest --skip-build --filter "$TIMED"
check 'random declarations and multipart forms, read back by others' \
    Tests/Fuzz/fuzz.sh --minutes 0 --forms 400 --cases 5000 --seed 1
check 'the publisher, with OpenCombine' serve swift test --quiet --disable-xctest --package-path $COMBINE
if [ -n "${ENDPOINTS_SHARED:-}" ]; then
    check "the seed's blocks compile and do what its text says" Tests/Compile/seed.sh
    check 'public tables of URLs, forms and escapes, read back' Tests/Fuzz/corpora.sh
else
    leave_out "the seed's blocks and the corpora" 'there is no ../shared beside this clone'
fi
check "a request takes no more allocations than it may" allocations
check 'bodies of 64 MB take little memory' big
check 'what must not compile does not, and the compiler says why' python Tests/Compile/errors.py
check 'modules with other settings' python Tests/Compile/modules.py
check 'progress is a line on a terminal, and nothing in a file' python Tests/Support/progress.py --test
check "the charts show what their tables say" python Tests/Benchmarks/charts.py --check
check "the documentation's blocks compile" python Tests/Compile/docs.py
check 'the examples, with stubs, and with XCTest' swift test --quiet --package-path Tests/Examples
check "the examples' pages say what the examples do" python Tests/Support/pages.py --check
check "the guide's steps, from an empty folder" python Tests/Support/guide.py
check 'tests of servers, with the servers off' env SKIP_BUILD=1 Tests/Support/replay.sh

printf '\n%s%s passed, %s failed\n' "$summary" $passed $failed
if [ $failed -gt 0 ]; then
    echo "make test: FAILED after $SECONDS s"
    exit 1
fi
echo "make test: all checks passed in $SECONDS s"

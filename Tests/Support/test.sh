#!/usr/bin/env bash
# Runs every check there is; `make test` calls it. A check that fails doesn't hold up those after it, but
# fails the whole. What can't be checked on this machine is said at the end; under CI=true it is a failure.
#
#     make test                 every check
#     make test CHECK=fuzz      one check, with what it needs
#     make test CHECK=list      the checks' names

cd "$(dirname "$0")/../.." || exit 1
set -o pipefail

PYTHON=.build/venv/bin/python
COMBINE=Tests/Combine
. Tests/Support/timed.sh
[ -x $PYTHON ] || { echo "there is no $PYTHON: run \`make test\`, which makes it" >&2; exit 1; }

# Without this, tests that need a server would be left out where none has an address.
export ENDPOINTS_SERVERS=required

only=${CHECK:-} names='' passed=0 failed=0 summary='' log=.build/check.log

# check NAME WHAT COMMAND...: runs a command under a heading and keeps how it ended.
check() {
    local name=$1 what=$2 began=$SECONDS word=passed
    shift 2
    names="$names $name"
    if [ "$only" = list ]; then printf '%-14s%s\n' "$name" "$what"; fi
    [ "${only:-$name}" = "$name" ] || return 0
    printf '\n== %s: %s\n' "$name" "$what"
    if "$@" 2>&1 | tee $log; then passed=$((passed + 1)); else word=FAILED failed=$((failed + 1)); fi
    printf -- '-- %s in %s s\n' $word $((SECONDS - began))
    local tests
    tests=$(sed -n 's/.*Test run with \(.* suites*\) .*/\1/p' $log | paste -s -d , | sed 's/,/, /g')
    summary="$summary  $word: $name, $((SECONDS - began)) s: $what${tests:+ ($tests)}"$'\n'
}

# leave_out NAME WHAT WHY: keeps what can't be checked here.
leave_out() {
    names="$names $1"
    [ "${only:-$1}" = "$1" ] || return 0
    summary="$summary  left out: $2, as $3"$'\n'
    [ "${CI:-}" != true ] || failed=$((failed + 1))
}

# serve COMMAND...: runs a command with the tests' servers beside it, their addresses in its environment.
serve() {
    $PYTHON Tests/Support/serve.py -- "$@"
}

python() {
    $PYTHON -B "$@"
}

build() {
    swift build --quiet --build-tests -Xswiftc -warnings-as-errors
}

# after WHAT COMMAND...: runs a command that needs what another check has built, which is built before it if it
# is run alone.
after() {
    [ -z "$only" ] || "$1" || return 1
    shift
    "$@"
}

tests() {
    after build serve swift test --quiet --disable-xctest --skip-build "$@"
}

combine() {
    swift build --quiet --build-tests --package-path $COMBINE
}

# Each case in turn, with a clock that doesn't wait. A release build costs less than it saves.
matrix() {
    swift build --quiet -c release --package-path Tests/Matrix && Tests/Matrix/.build/release/Matrix
}

benchmarks() {
    swift build --quiet -c release --package-path Tests/Benchmarks
}

# The benchmark's count of allocations; its four ways to make a request must make the same ones.
allocations() {
    benchmarks && Tests/Benchmarks/.build/release/Benchmarks allocations
}

site() {
    build && python Tests/Support/docs.py --skip-build
}

# The seed and the corpora lie beside the repository, where they do.
shared=${ENDPOINTS_SHARED:-$PWD/../shared}
if [ -d "$shared/seeds" ]; then export ENDPOINTS_SHARED=$shared; else unset ENDPOINTS_SHARED; fi

# Without this, nobody would see that tests were left out.
[ "$only" = list ] || [ "$(serve printenv ENDPOINTS_RECORDER_TLS)" != impossible ] ||
    leave_out tls 'the tests with TLS' 'this machine lets no test add a certificate to trust'

check build 'the library, the demo and the tests build without a warning' build
check unit 'unit and server tests' tests --skip "$TIMED"
check timed 'tests that must end in time, apart from those that need the processor' tests --filter "$TIMED"
check fuzz 'random declarations and multipart forms, read back by others, and random documents' \
    Tests/Fuzz/fuzz.sh --minutes 0 --forms 400 --cases 5000 --imports 500 --seed 1
check matrix 'each stack of middleware, kind of body and of response, and ending of a load' matrix
check publisher 'the publisher, with OpenCombine' \
    serve swift test --quiet --disable-xctest --package-path $COMBINE
if [ -n "${ENDPOINTS_SHARED:-}" ]; then
    check seed "the seed's blocks compile and do what its text says" Tests/Compile/seed.sh
    check corpora 'public tables of URLs, forms and escapes, read back' Tests/Fuzz/corpora.sh
else
    leave_out seed "the seed's blocks" 'there is no ../shared beside this clone'
    leave_out corpora 'public tables of URLs, forms and escapes' 'there is no ../shared beside this clone'
fi
check allocations 'a request takes no more allocations than it may' allocations
check bytes 'a program with one GET has no more bytes than it may' \
    after benchmarks python Tests/Benchmarks/programs.py --check
check kills 'processes that are killed while they store responses leave a folder that can be read' \
    after benchmarks python Tests/Benchmarks/kills.py 100
# Bodies, as they arrive, saved and read slowly, may not be in memory.
check big 'bodies of 64 MB take little memory' after benchmarks \
    $PYTHON Tests/Support/serve.py --only faults -- Tests/Benchmarks/.build/release/Big 64
check errors 'what must not compile does not, and the compiler says why' after build python Tests/Compile/errors.py
check modules 'modules with other settings' after build python Tests/Compile/modules.py
check apple "the library compiles for Apple platforms' oldest versions, as far as Linux can say" \
    after combine python Tests/Compile/apple.py
check api 'the public API is as Tests/API lists it, and breaks no code for the last version' \
    after build after combine python Tests/Compile/api.py
check import 'an OpenAPI document is imported: the declarations compile and send what it says' Tests/Import/check.sh
check progress 'progress is a line on a terminal, and nothing in a file' python Tests/Support/progress.py --test
check charts 'the charts show what their tables say' python Tests/Benchmarks/charts.py --check
check blocks "the documentation's blocks compile" after combine python Tests/Compile/docs.py
check apple-blocks "the documentation's blocks compile for iOS, at its oldest version" \
    after combine python Tests/Compile/apple.py blocks
check docs "the documentation's pages and comments have no warning" after build python Tests/Support/docs.py --skip-build
if $PYTHON -c 'import sys; sys.path.insert(0, "Tests/Support"); import browser; sys.exit(not browser.program())'; then
    check site "the documentation's site in a browser: no dead link, light and dark, on a phone" \
        after site python Tests/Support/visit.py
else
    leave_out site "the documentation's site in a browser" 'there is no Chromium'
fi
check examples 'the examples, with stubs, and with XCTest' swift test --quiet --package-path Tests/Examples
check pages "the examples' pages say what the examples do" python Tests/Support/pages.py --check
check guide "the steps of the guide and of the tutorial, from an empty folder" python Tests/Support/guide.py
check workflow "the public host's workflow has no mistake and calls the Makefile's targets" \
    python Tests/Support/workflow.py
check stranger "a stranger's package depends on a tag by URL, with the README alone" python Tests/Support/stranger.py
check replay 'tests of servers, with the servers off' after build env SKIP_BUILD=1 Tests/Support/replay.sh

[ "$only" != list ] || exit 0
if [[ " $names " != *" ${only:-build} "* ]]; then
    echo "make test: there is no check \"$only\"; \`make test CHECK=list\` lists them" >&2
    exit 1
fi
printf '\n%s%s passed, %s failed\n' "$summary" $passed $failed
if [ $failed -gt 0 ]; then
    echo "make test: FAILED after $SECONDS s"
    exit 1
fi
echo "make test: ${only:-all checks} passed in $SECONDS s"

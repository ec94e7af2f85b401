#!/usr/bin/env bash
# Runs every check there is; `make test` calls it. A check that fails doesn't hold up those after it, but
# fails the whole. What can't be checked on this machine is said at the end; under CI=true it is a failure.

cd "$(dirname "$0")/../.." || exit 1

PYTHON=.build/venv/bin/python
COMBINE=Tests/Combine
[ -x $PYTHON ] || { echo "there is no $PYTHON: run \`make test\`, which makes it" >&2; exit 1; }

passed=0 failed='' left_out=''

# check WHAT COMMAND...: runs a command under a heading and keeps how it ended.
check() {
    local what=$1 began=$SECONDS
    shift
    printf '\n== %s\n' "$what"
    if "$@"; then
        passed=$((passed + 1))
        printf -- '-- passed in %s s\n' $((SECONDS - began))
    else
        failed="$failed  $what"$'\n'
        printf -- '-- FAILED: %s\n' "$what"
    fi
}

# leave_out WHAT WHY: keeps what can't be checked here.
leave_out() {
    left_out="$left_out  $1: $2"$'\n'
    [ "${CI:-}" != true ] || failed="$failed  $1: left out, which CI does not allow"$'\n'
}

# serve COMMAND...: runs a command with the tests' servers beside it, their addresses in its environment.
serve() {
    $PYTHON Tests/Support/serve.py -- "$@"
}

python() {
    $PYTHON -B "$@"
}

# The seed and the corpora lie beside the repository, where they do.
shared=${ENDPOINTS_SHARED:-$PWD/../shared}
if [ -d "$shared/seeds" ]; then export ENDPOINTS_SHARED=$shared; else unset ENDPOINTS_SHARED; fi

check 'the library, the demo and the tests build without a warning' \
    swift build --quiet --build-tests -Xswiftc -warnings-as-errors
check 'unit and server tests' serve swift test --skip-build
check 'the publisher, with OpenCombine' serve swift test --quiet --package-path $COMBINE

if [ -n "${ENDPOINTS_SHARED:-}" ]; then
    check "the seed's blocks compile and do what its text says" Tests/Compile/seed.sh
else
    leave_out "the seed's blocks, the corpora" 'there is no ../shared beside this clone'
fi

check 'what must not compile does not, and the compiler names it' python Tests/Compile/errors.py
check 'a module that is MainActor by default' python Tests/Compile/modules.py
check 'random declarations, read back by independent parsers' Tests/Fuzz/fuzz.sh --cases 5000
check "the documentation's blocks compile" python Tests/Compile/docs.py

printf '\n'
[ -z "$left_out" ] || printf 'left out:\n%s' "$left_out"
if [ -n "$failed" ]; then
    printf 'failed:\n%smake test: FAILED after %s s\n' "$failed" "$SECONDS"
    exit 1
fi
printf 'make test: all %s checks passed in %s s\n' $passed "$SECONDS"

#!/usr/bin/env bash
# Loads and cancels for long against the load server; `make soak` calls it. It runs on Linux only, as it
# reads memory, threads and files from /proc.
#
#     Tests/Soak/soak.sh             50,000 loads, 10,000 cancelled at every stage, 50,000 with each
#                                    middleware and a limit of a day, processes that end at once,
#                                    10,000 killed while they store responses, then a minute with
#                                    each sanitizer
#     Tests/Soak/soak.sh --seed 7    with the same dice as before

cd "$(dirname "$0")" || exit 1
PYTHON=../../.build/venv/bin/python
[ "$(uname)" = Linux ] || { echo "soak: runs on Linux only, where there is /proc" >&2; exit 1; }
[ -x $PYTHON ] || { echo "there is no $PYTHON: run \`make soak\`, which makes it" >&2; exit 1; }

failed=0 run=0

# report TEXT: says how far this is where `make` shows it on a terminal.
report() {
    [ -z "${ENDPOINTS_PROGRESS:-}" ] || echo "$1" >"$ENDPOINTS_PROGRESS"
}

# soak PROGRAM ARGUMENT...: runs the program beside the load server.
soak() {
    run=$((run + 1))
    # The program says it again, with how far it is.
    export ENDPOINTS_RUN="run $run of 10"
    report "$ENDPOINTS_RUN"
    $PYTHON ../Support/serve.py --only load --only tls -- "$@" || failed=$((failed + 1))
}

# build OPTION...: builds quietly; a linker's warnings about a sanitizer are nobody's business.
build() {
    mkdir -p .build
    report "building, after run $run of 10"
    swift build --package-path .. --product Soak "$@" >.build/build.log 2>&1 || { cat .build/build.log >&2; exit 1; }
}

export LSAN_OPTIONS=suppressions=$PWD/leaks.txt:print_suppressions=0

build -c release
soak ../.build/release/Soak load "$@"
soak ../.build/release/Soak race --requests 10000 --in-flight 100 "$@"
soak ../.build/release/Soak limits "$@"

soak ./sessions.sh ../.build/release/Soak
soak ./exits.sh ../.build/release/Soak

report "building, after run $run of 10"
../Support/build.sh .. -c release --product CacheKills || exit 1
soak $PYTHON ../Benchmarks/kills.py 10000 "$@"

for sanitizer in thread address; do
    echo "with the $sanitizer sanitizer:"
    build --sanitize=$sanitizer --scratch-path ../.build-$sanitizer
    soak ../.build-$sanitizer/debug/Soak load --any-memory --seconds 40 "$@"
    soak ../.build-$sanitizer/debug/Soak race --any-memory --seconds 20 --in-flight 100 "$@"
done

[ $failed = 0 ] || { echo "soak: $failed of 10 runs failed" >&2; exit 1; }

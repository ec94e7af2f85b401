#!/usr/bin/env bash
# Counts how processes end that load by 30 sessions of 8 loads each, in turns with the library and with
# URLSession alone; soak.sh calls it beside the load server.
#
#     Tests/Soak/sessions.sh PROGRAM [TURNS]

program=$1 turns=${2:-200} library=0 plain=0 failed=0

# run [--plain]: runs the program; fails if a signal ended it. Any other failure is counted.
run() {
    "$program" sessions "$@" 2>/dev/null
    local code=$?
    [ $code -le 128 ] || return 1
    [ $code = 0 ] || failed=$((failed + 1))
}

for ((turn = 0; turn < turns; turn++)); do
    [ -z "${ENDPOINTS_PROGRESS:-}" ] || echo "${ENDPOINTS_RUN:+$ENDPOINTS_RUN, }sessions: $turn of $turns" >"$ENDPOINTS_PROGRESS"
    run || library=$((library + 1))
    run --plain || plain=$((plain + 1))
done
echo "sessions: of $turns processes each, a signal ended $library with the library and $plain without; failures: $failed"

# The platform ends some of either: only many more with the library are the library's.
[ $failed = 0 ] && [ $library -le $((plain + 5 + turns / 20)) ]

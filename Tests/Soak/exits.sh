#!/usr/bin/env bash
# Counts how processes end that leave 80 loads over TLS and then end at once; soak.sh calls it beside the
# load server.
#
#     Tests/Soak/exits.sh PROGRAM [PROCESSES]

program=$1 processes=${2:-200} signals=0 failed=0 ended=''
ways=(left cancelled dropped redirected refused long)

for ((number = 0; number < processes; number++)); do
    [ -z "${ENDPOINTS_PROGRESS:-}" ] || echo "${ENDPOINTS_RUN:+$ENDPOINTS_RUN, }exits: $number of $processes" >"$ENDPOINTS_PROGRESS"
    way=${ways[number % ${#ways[@]}]}
    timeout 60 "$program" exit --way $way 2>/dev/null
    code=$?
    if [ $code -gt 128 ]; then
        signals=$((signals + 1)) ended="$ended $way"
    elif [ $code != 0 ]; then
        failed=$((failed + 1)) ended="$ended $way"
    fi
done
echo "exits: of $processes processes that left 80 loads over TLS each, a signal ended $signals; failures: $failed$ended"

[ $failed = 0 ] && [ $signals = 0 ]

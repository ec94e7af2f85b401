#!/usr/bin/env bash
# Everything random: `make fuzz` calls it.
#
#     Tests/Fuzz/fuzz.sh                       200,000 declarations, 20,000 multipart forms, ten minutes of
#                                              responses
#     Tests/Fuzz/fuzz.sh --minutes 1           one minute of responses
#     Tests/Fuzz/fuzz.sh --minutes 0 --forms 400 --cases 5000 --seed abc
#                                              a few, the same each time; of responses it only checks that they compile
#
# Other options are fuzz.py's. Independent parsers read declarations (fuzz.py) and multipart forms (parts.py)
# back. A fuzzer that is guided by coverage makes the responses (responses.sh).

cd "$(dirname "$0")" || exit 1
python=../../.build/venv/bin/python
[ -x $python ] || { echo "there is no $python: run \`make .build/venv/ready\`" >&2; exit 1; }
minutes=10 forms=20000
if [ "${1:-}" = --minutes ]; then
    minutes=$2
    shift 2
fi
if [ "${1:-}" = --forms ]; then
    forms=$2
    shift 2
fi

[ -z "${ENDPOINTS_PROGRESS:-}" ] || echo building >"$ENDPOINTS_PROGRESS"
swift build --quiet -Xswiftc -warnings-as-errors || exit 1
failed=0
$python -B fuzz.py .build/debug/declare "$@" || failed=1
$python -B parts.py .build/debug/parts --forms "$forms" || failed=1
[ "$minutes" = 0 ] && seconds=check || seconds=$((minutes * 60))
./responses.sh $seconds || failed=1
exit $failed

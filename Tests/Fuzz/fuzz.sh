#!/usr/bin/env bash
# Everything random: `make fuzz` calls it.
#
#     Tests/Fuzz/fuzz.sh                       200,000 declarations, ten minutes of responses
#     Tests/Fuzz/fuzz.sh --minutes 1           one minute of responses
#     Tests/Fuzz/fuzz.sh --minutes 0 --cases 5000 --seed abc
#                                              only declarations, the same each time
#
# Other options are fuzz.py's. Independent parsers read declarations back (fuzz.py). A fuzzer that is
# guided by coverage makes the responses (responses.sh).

cd "$(dirname "$0")" || exit 1
python=../../.build/venv/bin/python
[ -x $python ] || { echo "there is no $python: run \`make .build/venv/ready\`" >&2; exit 1; }
minutes=10
if [ "${1:-}" = --minutes ]; then
    minutes=$2
    shift 2
fi

swift build --quiet -Xswiftc -warnings-as-errors || exit 1
failed=0
$python -B fuzz.py .build/debug/declare "$@" || failed=1
[ "$minutes" = 0 ] || ./responses.sh $((minutes * 60)) || failed=1
exit $failed

#!/usr/bin/env bash
# Everything random: `make fuzz` calls it.
#
#     Tests/Fuzz/fuzz.sh                       200,000 declarations, ten minutes of answers
#     Tests/Fuzz/fuzz.sh --minutes 1           one minute of answers
#     Tests/Fuzz/fuzz.sh --minutes 0 --cases 5000 --seed abc
#                                              only declarations, the same each time
#
# Other options are fuzz.py's. Declarations are read back by independent parsers (fuzz.py); answers are
# made up by a fuzzer that coverage guides (answers.sh).

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
[ "$minutes" = 0 ] || ./answers.sh $((minutes * 60)) || failed=1
exit $failed

#!/usr/bin/env bash
# Random declarations and values, read back by independent parsers: see fuzz.py for the options.
#
#     Tests/Fuzz/fuzz.sh                            200,000 cases
#     Tests/Fuzz/fuzz.sh --cases 5000 --seed abc    fewer, and the same each time

cd "$(dirname "$0")" || exit 1
python=../../.build/venv/bin/python
[ -x $python ] || { echo "there is no $python: run \`make .build/venv/ready\`" >&2; exit 1; }

swift build --quiet -Xswiftc -warnings-as-errors || exit 1
exec $python -B fuzz.py .build/debug/declare "$@"

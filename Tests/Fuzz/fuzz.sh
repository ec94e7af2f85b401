#!/usr/bin/env bash
# Everything random: `make fuzz` calls it with `--keep`, and `make test` with a fixed seed.
#
#     Tests/Fuzz/fuzz.sh                       200,000 declarations, 20,000 multipart forms, 20,000 documents, ten
#                                              minutes of responses
#     Tests/Fuzz/fuzz.sh --keep                the same, and keeps what fails as a test
#     Tests/Fuzz/fuzz.sh --minutes 1           one minute of responses
#     Tests/Fuzz/fuzz.sh --minutes 0 --forms 400 --cases 5000 --imports 500 --seed abc
#                                              a few, the same each time; of responses those that failed once
#
# What failed once is tried first, each time: the cases in found.jsonl, and the responses in Responses/found.
# Independent parsers read declarations (fuzz.py) and multipart forms (parts.py) back. A fuzzer that is guided by
# coverage makes the responses (responses.sh). Mutated OpenAPI documents are imported, and some of them compiled
# (imports.py).

cd "$(dirname "$0")" || exit 1
python=../../.build/venv/bin/python
[ -x $python ] || { echo "there is no $python: run \`make .build/venv/ready\`" >&2; exit 1; }
minutes=10 forms=20000 cases=200000 imports=20000 both=()
while [ $# -gt 0 ]; do
    case $1 in
    --keep) both+=("$1") ;;
    --seed) both+=("$1" "$2"); shift ;;
    --minutes) minutes=$2; shift ;;
    --forms) forms=$2; shift ;;
    --cases) cases=$2; shift ;;
    --imports) imports=$2; shift ;;
    *) echo "fuzz.sh: there is no option $1" >&2; exit 1 ;;
    esac
    shift
done

[ -z "${ENDPOINTS_PROGRESS:-}" ] || echo building >"$ENDPOINTS_PROGRESS"
../Support/build.sh .. --product declare && ../Support/build.sh .. --product parts || exit 1
programs=$(echo ../../.build/checks/*/debug)
failed=0
$python -B fuzz.py $programs/declare --cases "$cases" "${both[@]}" || failed=1
$python -B parts.py $programs/parts --forms "$forms" "${both[@]}" || failed=1
# The program that imports documents calls what endpoints-import is linked of.
mkdir -p .build/imports
../Support/build.sh ../.. --product endpoints-import || exit 1
swiftc -parse-as-library -swift-version 6 -module-name Imports -I $programs/Modules -o .build/imports/import \
    Import/Main.swift $programs/Endpoints{Import,Documents}.build/*.o || exit 1
$python -B imports.py .build/imports/import --cases "$imports" --compile $((imports / 100)) "${both[@]}" || failed=1
[ "$minutes" = 0 ] && seconds=check || seconds=$((minutes * 60))
./responses.sh $seconds "${both[@]}" || failed=1
exit $failed

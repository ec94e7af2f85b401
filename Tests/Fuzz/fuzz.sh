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
../Support/programs.sh debug declare parts || exit 1
failed=0
$python -B fuzz.py ../.build/debug/declare --cases "$cases" "${both[@]}" || failed=1
$python -B parts.py ../.build/debug/parts --forms "$forms" "${both[@]}" || failed=1
# The importer is one module with the program that calls it, without its own beginning.
mkdir -p .build/imports
swiftc -parse-as-library -swift-version 6 -package-name Endpoints -module-name EndpointsDocuments -wmo \
    -emit-module-path .build/imports/EndpointsDocuments.swiftmodule -c -o .build/imports/documents.o \
    ../../Sources/EndpointsDocuments/*.swift || exit 1
swiftc -parse-as-library -swift-version 6 -package-name Endpoints -module-name Imports -wmo -I .build/imports \
    -o .build/imports/import .build/imports/documents.o \
    $(find ../../Sources/EndpointsImport -name '*.swift' ! -name Command.swift) Import/Main.swift || exit 1
$python -B imports.py .build/imports/import --cases "$imports" --compile $((imports / 100)) "${both[@]}" || failed=1
[ "$minutes" = 0 ] && seconds=check || seconds=$((minutes * 60))
./responses.sh $seconds "${both[@]}" || failed=1
exit $failed

#!/usr/bin/env bash
# A coverage-guided fuzzer (libFuzzer, of Swift's own toolchain) over the code that reads a server's response.
#
#     Tests/Fuzz/responses.sh 600           for 600 seconds
#     Tests/Fuzz/responses.sh 600 --keep    the same, and keeps an input that fails as a test
#     Tests/Fuzz/responses.sh check         checks that it compiles, and tries the inputs that failed once
#     Tests/Fuzz/responses.sh build FOLDER  puts the fuzzer, its first inputs and its words into a folder, as OSS-Fuzz wants
#                                           them; SWIFT_OPTIONS are passed to the compiler
#
# Inputs that reach new code stay in .build/responses/corpus. An input that fails is printed, and written into
# .build/responses, or with `--keep` into Responses/found.

cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-600}
place=Tests/Fuzz/.build/responses found=Tests/Fuzz/Responses/found
mkdir -p $place/corpus
artifacts=$place
if [[ " $* " = *" --keep "* ]]; then artifacts=$found; fi
# The fuzzer is one module with the library and its parts, whose internal functions it calls. So the files are
# copied without their imports of each other, and without what the core has for itself: the names of bytes, and what
# only modules need that aren't here.
sources=$place/sources
files() {
    rm -rf $sources && mkdir -p $sources
    find Sources/Endpoints Sources/Endpoints{Shared,Folder,StructuredFields,Streams,Formats,Middleware} -name '*.docc' -prune -o -name '*.swift' \
        ! -name Declared.swift -exec cp {} $sources \;
    sed -i '/^ *import Endpoints/d' $sources/*.swift
    sed -i '/^extension UInt8 {$/,/^}$/d' $sources/FieldValues.swift
    echo $sources/*.swift Tests/Fuzz/Responses/ResponseFuzzer.swift
}
compile=(swiftc -parse-as-library -swift-version 6 -module-name Responses -package-name endpoints)

if [ "$seconds" = check ]; then
    replay=Tests/Fuzz/Responses/Replay.swift
    "${compile[@]}" -wmo -typecheck $(files) $replay || exit 1
    echo 'responses: the fuzzer compiles'
    [ -d $found ] || exit 0
    "${compile[@]}" -wmo -o $place/replay $(files) $replay || exit 1
    $place/replay $found/* && echo "responses: $(ls $found | wc -l) found inputs, failures: none"
    exit
fi

# report TEXT: says how far this is where `make` shows it on a terminal.
report() {
    [ -z "${ENDPOINTS_PROGRESS:-}" ] || echo "$1" >"$ENDPOINTS_PROGRESS"
}

# One small input for each request type and each kind of status.
for type in $(seq 0 8); do
    for status in $(seq 0 8); do
        printf "\\x$(printf %x "$type")\\x$(printf %x "$status")"'application/json\n/b\n8\n{"id":1}' \
            >"$place/corpus/type-$type-$status"
    done
done

echo 'responses: building with libFuzzer and the address sanitizer'
report 'responses: building'
"${compile[@]}" -O -g -sanitize=fuzzer,address -o $place/responses $(files) \
    ${SWIFT_OPTIONS:-} 2>$place/build.log || { cat $place/build.log; exit 1; }

if [ "$seconds" = build ]; then
    folder=${2:?responses.sh build needs a folder}
    cp $place/responses "$folder/responses"
    cp Tests/Fuzz/Responses/words.dict "$folder/responses.dict"
    (cd $place/corpus && python3 -m zipfile -c "$folder/responses_seed_corpus.zip" type-*)
    printf '[libfuzzer]\nmax_len = 4096\ntimeout = 10\nrss_limit_mb = 4096\n' >"$folder/responses.options"
    echo "responses: the fuzzer is in $folder"
    exit
fi


if [ -n "${ENDPOINTS_PROGRESS:-}" ]; then
    began=$SECONDS
    while sleep 1; do report "responses: $((SECONDS - began)) of $seconds s"; done &
    trap "kill $!" EXIT
fi
mkdir -p $artifacts
log=$place/log
SWIFT_BACKTRACE=enable=no $place/responses -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -rss_limit_mb=4096 -dict=Tests/Fuzz/Responses/words.dict -artifact_prefix=$artifacts/ \
    -print_final_stats=1 $place/corpus $([ ! -d $found ] || echo $found) >$log 2>&1 </dev/null
ended=$?
rmdir $found 2>/dev/null
inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' $log)
seed=$(sed -n "s/^INFO: Seed: //p" $log)
if [ $ended -ne 0 ]; then
    tail -n 40 $log
    echo "responses: FAILURE, seed $seed, after ${inputs:-some} inputs; again with $place/responses on the file named above"
    exit 1
fi
echo "responses: seed $seed, $inputs inputs in $seconds s, failures: none"

#!/usr/bin/env bash
# A coverage-guided fuzzer (libFuzzer, of Swift's own toolchain) over what reads a server's answer.
#
#     Tests/Fuzz/answers.sh 600    for 600 seconds
#
# What it found worth keeping stays in .build/answers/corpus; an input that fails is printed and kept
# in .build/answers.

cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-600}
place=Tests/Fuzz/.build/answers
mkdir -p $place/corpus

echo 'answers: building with libFuzzer and the address sanitizer'
swiftc -O -g -parse-as-library -swift-version 6 -module-name Answers -sanitize=fuzzer,address \
    -o $place/answers $(find Sources/Endpoints -name '*.swift') Tests/Fuzz/Answers/Answers.swift \
    2>$place/build.log || { cat $place/build.log; exit 1; }

# One small input for each request type and each kind of status.
for type in $(seq 0 8); do
    for status in $(seq 0 8); do
        printf "\\x$(printf %x "$type")\\x$(printf %x "$status")"'application/json\n/b\n8\n{"id":1}' \
            >"$place/corpus/type-$type-$status"
    done
done

log=$place/log
SWIFT_BACKTRACE=enable=no $place/answers -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -rss_limit_mb=4096 -dict=Tests/Fuzz/Answers/words.dict -artifact_prefix=$place/ \
    -print_final_stats=1 $place/corpus >$log 2>&1 </dev/null
ended=$?
inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' $log)
seed=$(sed -n "s/^INFO: Seed: //p" $log)
if [ $ended -ne 0 ]; then
    tail -n 40 $log
    echo "answers: FAILURE, seed $seed, after ${inputs:-some} inputs; again with $place/answers on the file named above"
    exit 1
fi
echo "answers: seed $seed, $inputs inputs in $seconds s, failures: none"

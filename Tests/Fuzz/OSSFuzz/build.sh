#!/bin/bash -eu
# Builds the fuzzer of responses into $OUT. Where it is run there is neither Swift nor curl, so the libraries that it
# loads go along, beside it; what each system has of the C library doesn't.
export SWIFT_OPTIONS='-Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker $ORIGIN/lib'
Tests/Fuzz/responses.sh build "$OUT"
mkdir -p "$OUT/lib"
ldd "$OUT/responses" | awk '$3 ~ "^/" { print $3 }' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|ld-linux.*)\.so' | xargs cp -L -t "$OUT/lib"

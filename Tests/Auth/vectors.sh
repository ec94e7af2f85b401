#!/usr/bin/env bash
# Runs the tests of public vectors, which are read where they lie: vectors.sh folder
#
# The folder has clones of awslabs/aws-c-auth and of httpwg/structured-field-tests.

set -e
folder=$1
if [ -z "$folder" ]; then
    echo 'left out: the public vectors; name a folder with clones of awslabs/aws-c-auth and' \
        'httpwg/structured-field-tests: make auth VECTORS=folder'
    exit 0
fi
export AWS_SIGNING_TEST_SUITE=$folder/aws-c-auth/tests/aws-signing-test-suite/v4
export STRUCTURED_FIELD_TESTS=$folder/structured-field-tests
for path in "$AWS_SIGNING_TEST_SUITE" "$STRUCTURED_FIELD_TESTS"; do
    test -d "$path" || { echo "make auth: $path isn't there" >&2; exit 1; }
done
Tests/Support/build.sh . --build-tests
swift test --quiet --disable-xctest --skip-build --scratch-path .build/checks \
    --filter 'AWSSuiteTests|StructuredField'

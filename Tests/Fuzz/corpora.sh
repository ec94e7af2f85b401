#!/usr/bin/env bash
# Public tables of URLs, forms and escapes, read where they lie: ../shared beside the repository, or
# ENDPOINTS_SHARED.

cd "$(dirname "$0")" || exit 1
corpora=${ENDPOINTS_SHARED:-../../../shared}/corpora
if [ ! -d "$corpora" ]; then
    echo 'corpora: left out, as there is no ../shared beside this clone'
    [ "${CI:-}" != true ]
    exit
fi
../Support/build.sh .. --product declare || exit 1
exec ../../.build/venv/bin/python -B corpora.py ../../.build/checks/*/debug/declare "$corpora"

#!/usr/bin/env bash
# Runs the tests of servers twice: with the servers, recording what goes over the network as an HTTP archive, and
# then without any server, from the archive. `make replay` calls it; with SKIP_BUILD the tests have been built.

cd "$(dirname "$0")/../.." || exit 1
set -e

PYTHON=.build/venv/bin/python
FOLDER=.build/replay
# The suites whose requests go through `Server.response(to:)`.
SUITES='Server(RoundTrip|Body|Head|Header|Method|Status)Tests|ServersTests|ImageTests|HouseProtocolTests'
# Left out are those that test more than that: curl, redirects, faults, streams, cancelling and the session itself.

run() {
    swift test --quiet --disable-xctest --skip-build --scratch-path .build/checks --filter "$SUITES"
}

case "${1:-}" in
record)
    env | grep '^ENDPOINTS_' > $FOLDER/addresses
    ENDPOINTS_RECORD=1 run
    exit
    ;;
replay)
    run
    exit
    ;;
esac

[ -n "${SKIP_BUILD:-}" ] || Tests/Support/build.sh . --build-tests
mkdir -p $FOLDER
export ENDPOINTS_ARCHIVE=$PWD/$FOLDER/servers.har
echo 'with the servers, recording:'
$PYTHON Tests/Support/serve.py -- "$0" record
$PYTHON -c 'import importlib.metadata as m; m.version("splash")' 2>/dev/null ||
    $PYTHON -m pip install --quiet --disable-pip-version-check --no-deps splash==3.5
$PYTHON Tests/Support/har.py $FOLDER/servers.har Tests/EndpointsTestingTests/Recording/Chromium.har
echo 'with the servers off, from the archive:'
# Their addresses are part of the URLs; nothing listens there any more.
set -a; . $FOLDER/addresses; set +a
"$0" replay

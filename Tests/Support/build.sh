#!/usr/bin/env bash
# Builds for the checks and the programs. All have the same options, so that each module is compiled once.
#
#     build.sh . --build-tests                   the root package, into .build/checks
#     build.sh Tests --product Chat              the package of the programs, into the same folder
#     build.sh Tests -c release --product Big    the same, optimized, into Tests/.build
#     build.sh Tests/Combine --build-tests       the library with OpenCombine, into Tests/Combine/.build
#
# Each build takes the link `debug` away and makes it anew. What may run beside a build reads the folder to which it
# leads: .build/checks/*/debug.
#
# A module is compiled as a whole, without what a debugger needs: that takes two thirds of the
# processor's time. `swift build` and `swift test` have .build to themselves, and compile only what has changed.

set -o pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
package=$1
shift
options=(--quiet --package-path "$package")
case " $* " in
*" -c release "*) ;;
*)
    options+=(-debug-info-format none -Xswiftc -disable-batch-mode)
    options+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
    # A package that depends on others' can't make errors of their warnings; its targets do so with their own. The
    # plan of a build in a shared folder may be that of another package.
    case $package${ENDPOINTS_CACHE_PROXY:-} in
    *Combine | *1) ;;
    *) options+=(--scratch-path "$root/.build/checks" --disable-build-manifest-caching -Xswiftc -warnings-as-errors) ;;
    esac
    ;;
esac
# SwiftPM asks the compiler for both, and the compiler says for each module which one it does.
swift build "${options[@]}" "$@" 2>&1 | { grep -v '^remark: Incremental compilation has been disabled' || :; }

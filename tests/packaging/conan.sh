#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# conan.sh SOURCE_DIR WORK_DIR: packs the library with `conan create` and builds test_package against the package, with
# a Conan home of its own and no remote. Catch2 is declared to be the machine's. Ends with 77 (skipped) if
# Conan cannot be had.
set -eu

source_dir=$1
work_dir=$2
mkdir -p "$work_dir"

conan=$(command -v conan || true)
if [ -z "$conan" ] || ! "$conan" --version | grep -q ' 2\.'; then
    conan=$work_dir/venv/bin/conan
    if [ ! -x "$conan" ]; then
        rm -rf "$work_dir/venv"
        if ! { python3 -m venv "$work_dir/venv" && "$work_dir/venv/bin/pip" install --quiet 'conan>=2,<3'; }; then
            echo "skipped: no conan here, and pip cannot install it"
            rm -rf "$work_dir/venv"
            exit 77
        fi
    fi
fi

export CONAN_HOME="$work_dir/home"
rm -rf "$CONAN_HOME"
mkdir -p "$CONAN_HOME/profiles"
"$conan" profile detect --force
{
    sed 's/^compiler.cppstd=.*/compiler.cppstd=20/' "$CONAN_HOME/profiles/default"
    # What this machine has installed; the version only has to lie in the recipe's range.
    printf '[platform_requires]\ncatch2/2.13.10\n'
} >"$CONAN_HOME/profiles/machine"

# --no-remote: nothing may be downloaded. The library's tests run in this repository's own build.
"$conan" create "$source_dir" --no-remote --profile:all machine \
    -c tools.build:skip_test=True --test-folder "$source_dir/test_package" \
    -c "tools.cmake.cmake_layout:test_folder=$work_dir" -c tools.cmake.cmaketoolchain:user_presets=

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# conan.sh SOURCE_DIR WORK_DIR: packs the library with `conan create`, with Conan's own default profile, and builds
# test_package against the package; the latter once more with clang++ where it is found. A Conan home of its own, and no
# remote. Ends with 77 (skipped) if Conan cannot be had.
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

# --no-remote: nothing may be downloaded. Ninja, as everywhere else: there may be no make.
layout="tools.cmake.cmake_layout:test_folder=$work_dir"
generator="tools.cmake.cmaketoolchain:generator=Ninja"
"$conan" create "$source_dir" --no-remote --test-folder "$source_dir/test_package" \
    -c "$layout" -c "$generator" -c tools.cmake.cmaketoolchain:user_presets=

if command -v clang++ >/dev/null; then
    reference=$("$conan" list 'fuse/*' --format=compact | sed -n 's/^ *\(fuse\/[0-9.]*\).*/\1/p' | tail -n 1)
    "$conan" test "$source_dir/test_package" "$reference" --no-remote -c "$layout" -c "$generator" \
        -c tools.cmake.cmaketoolchain:user_presets= -s compiler=clang \
        -s "compiler.version=$(clang++ -dumpversion | cut -d. -f1)" -s compiler.libcxx=libstdc++11 -s compiler.cppstd=20 \
        -c 'tools.build:compiler_executables={"c": "clang", "cpp": "clang++"}'
fi

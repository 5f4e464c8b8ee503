#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# doxygen.sh ROOT BINARY: the reference is made without a warning. Skipped without Doxygen.
set -eu
if ! command -v doxygen >/dev/null; then
    echo "SKIPPED: no doxygen"
    exit 77
fi
cmake -G Ninja -S "$1" -B "$2" -DFUSE_BUILD_DOCS=ON -DFUSE_BUILD_TESTS=OFF -DFUSE_BUILD_EXAMPLES=OFF -DFUSE_CUDA=OFF >/dev/null
cmake --build "$2" --target docs >"$2/docs.log" 2>&1 || { cat "$2/docs.log"; exit 1; }

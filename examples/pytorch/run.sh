#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FOLDER: builds the modules into FOLDER and runs array_interface.py, add_rms_norm.py and libtorch.cpp. Without
# PyTorch the first alone, with NumPy and pybind11 (pip install numpy pybind11). Says what it skips, and exits with 77
# where it has nothing to run: no NumPy, no pybind11 (PyTorch has a copy), no headers of Python.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
python=${PYTHON:-python3}
has() {
    "$python" -c "import $1" 2>/dev/null
}
if ! has numpy; then
    echo "SKIPPED: no numpy for $python"
    exit 77
fi
if ! "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'; then
    echo "SKIPPED: no headers of $python"
    exit 77
fi
includes="-I$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')"
torch=
if has torch; then
    torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))')
    includes="$includes -isystem $torch/include"
elif has pybind11; then
    includes="$includes -isystem $("$python" -c 'import pybind11; print(pybind11.get_include())')"
else
    echo "SKIPPED: neither torch nor pybind11 for $python"
    exit 77
fi
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
mkdir -p "$folder"
flags="-std=c++20 -O3 -shared $includes -I$here/../../include"
if [ -n "$torch" ] && "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' && command -v nvcc >/dev/null; then
    compiler="nvcc -x cu --extended-lambda -arch=native -Xcompiler -fPIC,-fvisibility=hidden"
else
    compiler="${CXX:-c++} -fPIC -fvisibility=hidden"
fi
PYTHONPATH="$folder:${PYTHONPATH:-}"
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# shellcheck disable=SC2086 # lists of options
$compiler $flags "$here/array_interface.cpp" -o "$folder/array_interface_ops$suffix"
"$python" "$here/array_interface.py"
if [ -z "$torch" ]; then
    echo "SKIPPED: no torch for $python: neither add_rms_norm nor libtorch"
    exit 0
fi
# shellcheck disable=SC2086
$compiler $flags "$here/fused_ops.cpp" -o "$folder/fused_ops$suffix"
"$python" "$here/add_rms_norm.py"

abi=$("$python" -c 'import torch; print(int(torch._C._GLIBCXX_USE_CXX11_ABI))')
"${CXX:-c++}" -std=c++20 -O1 "-D_GLIBCXX_USE_CXX11_ABI=$abi" "-I$here/../../include" -isystem "$torch/include" \
    "$here/libtorch.cpp" -o "$folder/libtorch" "-L$torch/lib" -ltorch -ltorch_cpu -lc10 "-Wl,-rpath,$torch/lib"
"$folder/libtorch"

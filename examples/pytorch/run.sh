#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FOLDER: builds the module into FOLDER and runs add_rms_norm.py, then libtorch.cpp. Exits with 77 where a package is missing:
# PyTorch, pybind11 (pip install torch pybind11), the headers of Python.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
python=${PYTHON:-python3}
for package in torch pybind11; do
    if ! "$python" -c "import $package" 2>/dev/null; then
        echo "SKIPPED: no $package for $python"
        exit 77
    fi
done
includes=$("$python" -m pybind11 --includes)
torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))')
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
if ! "$python" -c 'import os, sysconfig, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'; then
    echo "SKIPPED: no headers of $python"
    exit 77
fi
mkdir -p "$folder"
flags="-std=c++20 -O3 -shared $includes -I$here/../../include -I$torch/include"
if "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' && command -v nvcc >/dev/null; then
    compiler="nvcc -x cu --extended-lambda -arch=native -Xcompiler -fPIC,-fvisibility=hidden"
else
    compiler="${CXX:-c++} -fPIC -fvisibility=hidden"
fi
# shellcheck disable=SC2086 # lists of options
$compiler $flags "$here/fused_ops.cpp" -o "$folder/fused_ops$suffix"
PYTHONPATH="$folder:${PYTHONPATH:-}" PYTHONDONTWRITEBYTECODE=1 "$python" "$here/add_rms_norm.py"

abi=$("$python" -c 'import torch; print(int(torch._C._GLIBCXX_USE_CXX11_ABI))')
"${CXX:-c++}" -std=c++20 -O1 "-D_GLIBCXX_USE_CXX11_ABI=$abi" "-I$here/../../include" -isystem "$torch/include" \
    "$here/libtorch.cpp" -o "$folder/libtorch" "-L$torch/lib" -ltorch -ltorch_cpu -lc10 "-Wl,-rpath,$torch/lib"
"$folder/libtorch"

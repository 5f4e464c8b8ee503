# SPDX-License-Identifier: Apache-2.0
#
# Shared by scripts/demo and scripts/test: installs what is missing, finds CUDA, and knows how parallel to be. To be
# sourced by a POSIX sh from the repository's root.

# The newest Boost.Context that the distribution has: Debian 12 needs the versioned name, later ones do not.
boost_context_package() {
    if apt-cache show libboost-context1.81-dev >/dev/null 2>&1; then
        echo libboost-context1.81-dev
    else
        echo libboost-context-dev
    fi
}

has_command() { command -v "$1" >/dev/null 2>&1; }

# True if the C++ compiler can include header $1 and, if given, condition $2 holds in the preprocessor.
has_header() {
    has_command g++ || return 1
    printf '#include <%s>\n#if !(%s)\n#error\n#endif\n' "$1" "${2:-1}" | g++ -std=c++20 -x c++ -fsyntax-only - 2>/dev/null
}

has_library() { has_command g++ && printf 'int main() {}\n' | g++ -x c++ - "-l$1" -o /dev/null 2>/dev/null; }

has_cmake() {
    has_command cmake || return 1
    version=$(cmake --version | sed -n 's/^cmake version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    # shellcheck disable=SC2086 # two numbers, two words
    set -- $version
    [ "$1" -gt 3 ] || [ "$2" -ge 25 ]
}

# Prints the names of what is missing; the names are resolved to packages later, when package lists are at hand.
missing_for_build() {
    has_command g++ || echo g++
    has_cmake || echo cmake
    has_command ninja || echo ninja-build
}

missing_for_tests() {
    missing_for_build
    has_library boost_context || echo boost-context
    has_header catch2/catch.hpp || has_header catch2/catch_all.hpp || echo catch2
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif has_command sudo; then
        sudo "$@"
    else
        return 1
    fi
}

# Makes sure that the function $1 (missing_for_...) prints nothing, installing packages if that is what it takes.
install_missing() {
    missing=$("$1" | sort -u)
    [ -n "$missing" ] || return 0
    echo "Missing here: $(echo "$missing" | tr '\n' ' ')"
    if has_command apt-get; then
        as_root apt-get update -qq || true
        packages=""
        for item in $missing; do
            case $item in
                boost-context) packages="$packages $(boost_context_package)" ;;
                *) packages="$packages $item" ;;
            esac
        done
        echo "Installing:$packages"
        # shellcheck disable=SC2086 # a list of packages
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages || {
            echo "Could not install the packages. As root, run: apt-get install$packages" >&2
            exit 1
        }
    fi
    missing=$("$1" | sort -u)
    if [ -n "$missing" ]; then
        cat >&2 <<END
Still missing or too old: $(echo "$missing" | tr '\n' ' ')
fuse is built with g++ 12 or later, CMake 3.25 or later and Ninja; the tests also need Boost.Context 1.81 or later and
Catch2. On Debian 12 these are the packages
    g++ cmake ninja-build libboost-context1.81-dev catch2
Please install their counterparts on this system and start again.
END
        exit 1
    fi
}

# try_install PACKAGE: installs what one test or stage would like to have and can do without; says no without an error.
try_install() {
    has_command apt-get && as_root apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"
}

has_numpy() { python3 -c 'import numpy' 2>/dev/null || /usr/bin/python3 -c 'import numpy' 2>/dev/null; }

# has_sanitizer NAME: true if programs of clang++ -fsanitize=NAME link and run here; then $sanitizer_launcher is what to
# start them with. ThreadSanitizers of older versions do not bear with memory at addresses as random as new kernels make
# them.
has_sanitizer() {
    probe=$(mktemp)
    sanitizer_launcher=
    found=1
    if printf 'int main() {}\n' | clang++ -x c++ - "-fsanitize=$1" -o "$probe" 2>/dev/null; then
        for sanitizer_launcher in env "setarch -R"; do
            # shellcheck disable=SC2086 # a command and its option
            if $sanitizer_launcher "$probe" 2>/dev/null; then
                found=0
                break
            fi
        done
    fi
    rm -f "$probe"
    return $found
}

# Puts nvcc on the PATH where a toolkit lies in its usual place but is not on it.
find_cuda() {
    for dir in "${CUDA_PATH:-}/bin" "${CUDA_HOME:-}/bin" /usr/local/cuda/bin /opt/cuda/bin; do
        if ! has_command nvcc && [ -x "$dir/nvcc" ]; then
            PATH=$dir:$PATH
            export PATH
        fi
    done
    has_command nvcc
}

has_gpu() { has_command nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q GPU; }

# The architectures to compile for: those of the GPUs that are here, or the default of CMakeLists.txt.
architecture_option() {
    if has_gpu; then
        list=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | tr -d '. ' | sort -un | sed 's/$/-real/' | tr '\n' ';')
        echo "-DFUSE_TEST_ARCHITECTURES=${list%;}"
    else
        echo "-UFUSE_TEST_ARCHITECTURES"
    fi
}

jobs=${FUSE_TEST_JOBS:-$(nproc 2>/dev/null || echo 2)}

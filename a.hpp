#include "fuse/fuse.hpp"
#include <complex>
#include <cstdio>
#include <vector>
#include <cstddef>
using namespace fuse;

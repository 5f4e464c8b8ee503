// SPDX-License-Identifier: Apache-2.0
//
// Two phases over rows: registers only, and 16-byte loads.
// ptx: entries at most 16
// ptx: no .local
// ptx: contains ld.global.v4|ld.global.nc.v4
// ptxas: no spills
#include "compile/time/softmax.cu"

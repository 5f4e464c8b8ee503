// SPDX-License-Identifier: Apache-2.0
//
// Three phases over rows with operands broadcast along them: registers only, and 16-byte loads, of what is normed
// with the policy of the L2 that keeps it longer than what is written.
// ptx: entries at most 16
// ptx: no .local
// ptx: contains ld.global.v4|ld.global.nc.v4
// ptx: contains ld.global.L2::cache_hint.v4
// ptxas: no spills
#include "compile/time/layer_norm.cu"

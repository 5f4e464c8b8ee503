// SPDX-License-Identifier: Apache-2.0
//
// The block-level API: what a kernel is made of. Everything takes a ThreadBlock (or plain registers) and runs
// unchanged on the GPU, on the CPU and on the emulated blocks of the tests.
#pragma once

#include "fuse/primitives/thread_block.hpp"  // the concept

#include "fuse/primitives/cuda_block.hpp"  // its models
#include "fuse/primitives/host_block.hpp"

#include "fuse/primitives/dim_config.hpp"  // the geometry of a launch

#include "fuse/primitives/elementwise.hpp"  // registers
#include "fuse/primitives/elementwise_random.hpp"
#include "fuse/primitives/init.hpp"
#include "fuse/primitives/last_pow2.hpp"
#include "fuse/primitives/pack.hpp"
#include "fuse/primitives/philox.hpp"
#include "fuse/primitives/tile.hpp"
#include "fuse/primitives/vector_type.hpp"

#include "fuse/primitives/copy_async.hpp"
#include "fuse/primitives/fast_divmod.hpp"  // memory to registers and back
#include "fuse/primitives/read_data.hpp"
#include "fuse/primitives/read_data_bc.hpp"
#include "fuse/primitives/read_data_reduce.hpp"
#include "fuse/primitives/write_data.hpp"

#include "fuse/primitives/batched_reduce.hpp"  // folds over threads
#include "fuse/primitives/batched_warp_reduce.hpp"
#include "fuse/primitives/block_reduce.hpp"
#include "fuse/primitives/block_reduce_sum.hpp"
#include "fuse/primitives/block_x_reduce.hpp"
#include "fuse/primitives/block_y_reduce.hpp"
#include "fuse/primitives/reduce.hpp"
#include "fuse/primitives/warp_reduce.hpp"

#include "fuse/primitives/block_scan.hpp"  // prefixes over threads
#include "fuse/primitives/cumsum.hpp"
#include "fuse/primitives/warp_scan.hpp"

#include "fuse/primitives/comparator.hpp"  // order
#include "fuse/primitives/sort.hpp"

#include "fuse/primitives/last_block.hpp"  // between blocks
#include "fuse/primitives/lookback.hpp"

// SPDX-License-Identifier: Apache-2.0
//
// The block-level API: what a kernel is made of. Everything takes a ThreadBlock (or plain registers) and runs
// unchanged on the GPU, on the CPU and on the emulated blocks of the tests.
#pragma once

#include "fuse/requirements.hpp"

#if defined(FUSE_SUPPORTED)

#include "fuse/primitives/machine/block_traits.hpp"
#include "fuse/primitives/machine/thread_block.hpp"  // the concepts

#include "fuse/primitives/machine/cuda_block.hpp"  // its models
#include "fuse/primitives/machine/host_block.hpp"

#include "fuse/primitives/thread/dim_config.hpp"  // the geometry of a launch

#include "fuse/primitives/thread/elementwise.hpp"  // registers
#include "fuse/primitives/thread/elementwise_random.hpp"
#include "fuse/primitives/thread/init.hpp"
#include "fuse/primitives/thread/item_folds.hpp"
#include "fuse/primitives/thread/last_pow2.hpp"
#include "fuse/primitives/thread/pack.hpp"
#include "fuse/primitives/thread/philox.hpp"
#include "fuse/primitives/thread/reduce_local.hpp"
#include "fuse/primitives/thread/tile.hpp"
#include "fuse/primitives/thread/vector_type.hpp"

#include "fuse/primitives/thread/copy_async.hpp"
#include "fuse/primitives/thread/dims.hpp"
#include "fuse/primitives/thread/fast_divmod.hpp"  // memory to registers and back
#include "fuse/primitives/thread/item_path.hpp"
#include "fuse/primitives/thread/read_data.hpp"
#include "fuse/primitives/thread/read_data_bc.hpp"
#include "fuse/primitives/thread/read_data_reduce.hpp"
#include "fuse/primitives/thread/write_data.hpp"

#include "fuse/primitives/block/batched_reduce.hpp"  // folds over threads
#include "fuse/primitives/block/block_reduce.hpp"
#include "fuse/primitives/block/block_reduce_sum.hpp"
#include "fuse/primitives/block/block_x_reduce.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"
#include "fuse/primitives/block/reduce.hpp"
#include "fuse/primitives/warp/batched_warp_reduce.hpp"
#include "fuse/primitives/warp/warp_broadcast.hpp"
#include "fuse/primitives/warp/warp_reduce.hpp"

#include "fuse/primitives/block/block_scan.hpp"  // prefixes over threads
#include "fuse/primitives/block/cumsum.hpp"
#include "fuse/primitives/warp/warp_scan.hpp"

#include "fuse/primitives/block/bulk_ring.hpp"  // what is larger than shared memory

#include "fuse/primitives/block/sort.hpp"
#include "fuse/primitives/thread/comparator.hpp"  // order

#include "fuse/primitives/cluster/cluster_exchange.hpp"  // between blocks
#include "fuse/primitives/cluster/cluster_reduce.hpp"
#include "fuse/primitives/grid/last_block.hpp"
#include "fuse/primitives/grid/lookback.hpp"
#include "fuse/primitives/grid/ticket_fold.hpp"

#endif

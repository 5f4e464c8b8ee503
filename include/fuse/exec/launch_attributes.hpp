// SPDX-License-Identifier: Apache-2.0
//
// What a launch asks of CUDA beyond its grid and its block: blocks that are resident together, clusters, and whether it
// may begin before what is launched before it has ended.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_device.hpp"
#include "fuse/kernels/launch/launch.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether the code of a kernel on a device of compute capability 9.0 or more is made for one, so that its blocks wait for
/// the grid before theirs (wait_for_grid_before). Asked of the kernel, once, not of the options of this file: where files of
/// a program are compiled for other architectures, one of them has made the kernel.
class WaitsByItself {
public:
    FUSE_COLD bool of(const void* kernel) {
        int answer = __atomic_load_n(&answer_, __ATOMIC_RELAXED);
        if (answer == unknown) {
            constexpr int first_version = 90;
            cudaFuncAttributes attributes{};
            check_launch(cudaFuncGetAttributes(&attributes, kernel));
            answer = attributes.ptxVersion >= first_version ? yes : no;
            __atomic_store_n(&answer_, answer, __ATOMIC_RELAXED);
        }
        return answer == yes;
    }

private:
    static constexpr int unknown = 0;  // a constant, so that nothing is initialised when the program runs
    static constexpr int yes = 1;
    static constexpr int no = 2;
    int answer_ = unknown;
};
template <class K>
inline WaitsByItself waits_by_itself;

/// Lives as long as the call that launches with it.
class LaunchAttributes {
public:
    /// dependent: programmatic dependent launch (CUDA C++ Programming Guide): the grid may be placed as soon as the blocks
    /// of the kernel before it on the stream have ended, while what they wrote is still on its way. Blocks that must be
    /// resident together gain nothing (measured), and are launched without.
    FUSE_COLD LaunchAttributes(const Launch& l, bool dependent) {
        if (l.link == Link::grid_sync || l.link == Link::group_sync) {
            add(cudaLaunchAttributeCooperative).cooperative = 1;
            return;
        }
        if (l.cluster > 1) {
            add(cudaLaunchAttributeClusterDimension).clusterDim = {l.cluster, 1, 1};
        }
        if (dependent) {
            add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed = 1;
        }
    }
    FUSE_COLD void give(cudaLaunchConfig_t& config) {
        config.attrs = attributes_;
        config.numAttrs = count_;
    }

private:
    FUSE_COLD cudaLaunchAttributeValue& add(cudaLaunchAttributeID id) {
        cudaLaunchAttribute& a = attributes_[count_++];
        a.id = id;
        return a.val;
    }

    cudaLaunchAttribute attributes_[2]{};
    unsigned count_ = 0;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif

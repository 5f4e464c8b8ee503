// SPDX-License-Identifier: Apache-2.0
//
// Elements that other libraries have no type for, and what they could not leave as it is.
// expect 1: fuse: the array interface has no type for these elements
// expect 2: fuse: the array interface has no type for these elements
// expect 3: fuse: DLPack has no type for these elements
// expect 4: fuse: DLPack has no type for these elements
// expect 5: fuse: a DLPack array can be written to, this view is read-only
// expect 6: fuse: PyTorch has no type for these elements
#include <fuse/fuse.hpp>
#include <fuse/interop/array_interface.hpp>
#include <fuse/interop/dlpack.hpp>
#include <fuse/interop/torch.hpp>

#include <support/dlpack.hpp>

struct Pair {
    float a, b;
};

// What from_torch asks of at::Tensor.
struct Tensor {
    bool defined() const;
    bool is_cpu() const;
    bool is_cuda() const;
    bool is_conj() const;
    bool is_neg() const;
    int get_device() const;
    std::int64_t dim() const;
    std::int64_t size(std::int64_t) const;
    std::int64_t stride(std::int64_t) const;
    void* data_ptr() const;
    int scalar_type() const;
};

void f([[maybe_unused]] Pair* both, [[maybe_unused]] const float* p, const fuse::ArrayInterface& a, DLTensor& d,
       const Tensor& t) {
#if FUSE_WRONG == 1
    static_cast<void>(fuse::from_array_interface<Pair, 1>(fuse::host, a));
#elif FUSE_WRONG == 2
    static_cast<void>(fuse::to_array_interface(fuse::host, fuse::view(both, 3)));
#elif FUSE_WRONG == 3
    static_cast<void>(fuse::from_dlpack<Pair, 1>(fuse::host, d));
#elif FUSE_WRONG == 4
    static_cast<void>(fuse::to_dlpack(fuse::tensor<Pair>(3)));
#elif FUSE_WRONG == 5
    static_cast<void>(fuse::to_dlpack(fuse::host, fuse::view(p, 3)));
#elif FUSE_WRONG == 6
    static_cast<void>(fuse::from_torch<Pair, 1>(fuse::host, t));
#else
    static_cast<void>(fuse::from_array_interface<float, 1>(fuse::host, a));
    static_cast<void>(fuse::from_dlpack<const float, 1>(fuse::host, d));
    static_cast<void>(fuse::from_torch<float, 1>(fuse::host, t));
#endif
}

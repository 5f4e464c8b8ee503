// SPDX-License-Identifier: Apache-2.0
//
// A Python module with one fused kernel for arrays of any library that speaks DLPack: NumPy, PyTorch, JAX, CuPy.
// run.sh builds it, with nvcc where PyTorch has a GPU; add_rms_norm.py makes a PyTorch op of it.
#include <pybind11/pybind11.h>

#include <fuse/fuse.hpp>
#include <fuse/interop/dlpack.hpp>

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#else
#include <ATen/dlpack.h>  // PyTorch's copy
#endif

namespace py = pybind11;

/// An array of Python's, kept alive and readable as a DLTensor.
class Array {
public:
    explicit Array(const py::object& array) : capsule_(array.attr("__dlpack__")()) {}
    const DLTensor& operator*() const {
        void* const managed = PyCapsule_GetPointer(capsule_.ptr(), "dltensor");
        if (managed == nullptr) {
            throw py::error_already_set();
        }
        return static_cast<DLManagedTensor*>(managed)->dl_tensor;
    }

private:
    py::object capsule_;  // it gives the DLManagedTensor back
};

// [snippet:run]
template <class Executor>
void run(const Executor& on, const DLTensor& x, const DLTensor& residual, const DLTensor& weight, const DLTensor& out) {
    const auto sum = fuse::from_dlpack<const float, 2>(on, x) + fuse::from_dlpack<const float, 2>(on, residual);
    fuse::eval(on, fuse::from_dlpack<float, 2>(on, out) = rms_norm(sum, fuse::from_dlpack<const float, 1>(on, weight)));
}
// [snippet:end]

/// out = rms_norm(x + residual, weight) in one kernel, float32, any strides. stream: a cudaStream_t as a number.
void add_rms_norm(const py::object& x, const py::object& residual, const py::object& weight, const py::object& out,
                  std::uintptr_t stream) {
    const Array a(x), b(residual), w(weight), y(out);
#if defined(__CUDACC__)
    if ((*a).device.device_type == kDLCUDA) {
        run(fuse::cuda.on(reinterpret_cast<cudaStream_t>(stream)), *a, *b, *w, *y);
        return;
    }
#endif
    static_cast<void>(stream);
    run(fuse::host, *a, *b, *w, *y);
}

PYBIND11_MODULE(fused_ops, m) {
    m.def("add_rms_norm", &add_rms_norm);
}

// SPDX-License-Identifier: Apache-2.0
//
// A Python module with one fused kernel for arrays that describe themselves by a dictionary: __cuda_array_interface__ of
// device memory, __array_interface__ of the host. array_interface.py makes a PyTorch op of it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <fuse/fuse.hpp>
#include <fuse/interop/array_interface.hpp>

namespace py = pybind11;

// [snippet:dictionary]
fuse::ArrayInterface dictionary_of(const py::object& array) {
    fuse::ArrayInterface a;
    a.cuda = py::hasattr(array, "__cuda_array_interface__");
    const py::dict d = array.attr(a.cuda ? "__cuda_array_interface__" : "__array_interface__");
    const auto given = [&d](const char* key) { return d.contains(key) && !d[key].is_none(); };
    const py::tuple data = d["data"];
    a.shape = d["shape"].cast<std::vector<fuse::index_t>>();
    a.strides = given("strides") ? d["strides"].cast<std::vector<fuse::index_t>>() : a.strides;
    a.typestr = d["typestr"].cast<std::string>();
    a.data = reinterpret_cast<void*>(data[0].cast<std::uintptr_t>());
    a.read_only = data[1].cast<bool>();
    a.masked = given("mask");
    a.version = d["version"].cast<int>();
    a.stream = given("stream") ? d["stream"].cast<std::uintptr_t>() : 0;
    return a;
}
// [snippet:end]

template <class Executor>
void run(const Executor& on, const fuse::ArrayInterface& x, const fuse::ArrayInterface& out) {
    const auto scores = fuse::from_array_interface<const float, 2>(on, x);
    fuse::eval(on, fuse::from_array_interface<float, 2>(on, out) = softmax(scores));
}

/// out = softmax(x) of the rows of a matrix, float32, any strides. stream: a cudaStream_t as a number.
void softmax_of_rows(const py::object& x, const py::object& out, std::uintptr_t stream) {
    const auto scores = dictionary_of(x);
#if defined(__CUDACC__)
    if (scores.cuda) {
        run(fuse::cuda.on(reinterpret_cast<cudaStream_t>(stream)), scores, dictionary_of(out));
        return;
    }
#endif
    static_cast<void>(stream);
    run(fuse::host, scores, dictionary_of(out));
}

PYBIND11_MODULE(array_interface_ops, m) {
    m.def("softmax", &softmax_of_rows);
}

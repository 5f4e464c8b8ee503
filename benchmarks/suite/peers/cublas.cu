// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS where it has the problem: the norm of a vector, scaled transposition, sums of rows and columns as products of
// a matrix and a vector of ones.
#include <cublas_v2.h>

#include "../../timing.cuh"
#include "../contest.hpp"

namespace bench {
namespace {

void must(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        throw std::runtime_error(std::string("cuBLAS: ") + cublasGetStatusString(status));
    }
}

/// The handle, on the stream of the contest; scalars are passed from the host unless said otherwise.
cublasHandle_t handle(const Setup& s, cublasPointerMode_t scalars = CUBLAS_POINTER_MODE_HOST) {
    static const cublasHandle_t made = [] {
        cublasHandle_t h = nullptr;
        must(cublasCreate(&h));
        // Memory of our own, so that calls can be captured.
        static Buffer<unsigned char> memory(std::size_t{32} << 20);
        must(cublasSetWorkspace(h, memory.get(), memory.size()));
        return h;
    }();
    must(cublasSetStream(made, s.stream()));
    must(cublasSetPointerMode(made, scalars));
    return made;
}

template <class Body>
AddEntry enter(const char* problem, Body body) {
    return AddEntry(
        {problem, Type::f32, "cuBLAS", [body](const Setup& s) -> Launch { return [&s, body](int k) { body(s, k); }; }});
}

const AddEntry norm = enter("norm", [](const Setup& s, int k) {
    must(cublasSnrm2_64(handle(s, CUBLAS_POINTER_MODE_DEVICE), s.extent(0), s.at<float>("x", k), 1,
                        s.at<float>("out", k)));
});

const AddEntry transpose = enter("transpose", [](const Setup& s, int k) {
    const int rows = int(s.extent(0)), columns = int(s.extent(1));
    const float scale = 2.5F, none = 0;
    float* const y = s.at<float>("y", k);
    must(cublasSgeam(handle(s), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &scale, s.at<float>("x", k), columns, &none, y,
                     rows, y, rows));
});

/// y = A 1 or A^T 1 for the column-major A that a row-major x is the transpose of.
void product_with_ones(const Setup& s, int k, cublasOperation_t op, const float* ones) {
    const index_t rows = s.extent(0), columns = s.extent(1);
    const float one = 1, none = 0;
    must(cublasSgemv_64(handle(s), op, columns, rows, &one, s.at<float>("x", k), columns, ones, 1, &none,
                        s.at<float>("y", k), 1));
}

AddEntry enter_sum(const char* problem, cublasOperation_t op, std::size_t folded) {
    return AddEntry({problem, Type::f32, "cuBLAS", [op, folded](const Setup& s) -> Launch {
                         const std::vector<float> host(static_cast<std::size_t>(s.extent(folded)), 1.0F);
                         const auto ones = std::make_shared<Buffer<float>>(host.size());
                         check(cudaMemcpy(ones->get(), host.data(), host.size() * sizeof(float), cudaMemcpyDefault),
                               "ones");
                         return [&s, op, ones](int k) { product_with_ones(s, k, op, ones->get()); };
                     }});
}
const AddEntry row_sum = enter_sum("row_sum", CUBLAS_OP_T, 1);
const AddEntry column_sum = enter_sum("column_sum", CUBLAS_OP_N, 0);

const AddVersion version("cublas", std::to_string(CUBLAS_VER_MAJOR) + "." + std::to_string(CUBLAS_VER_MINOR) + "." +
                                       std::to_string(CUBLAS_VER_PATCH));

}  // namespace
}  // namespace bench

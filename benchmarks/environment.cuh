// SPDX-License-Identifier: Apache-2.0
//
// What every results file begins with: when, on what and with what it was measured.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace bench {

/// Opens a results file and writes its first fields; the caller goes on with further ones.
inline std::FILE* open_results(const char* path) {
    std::FILE* f = std::fopen(path, "w");
    if (f == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", path);
        std::exit(2);
    }
    cudaDeviceProp p{};
    cudaGetDeviceProperties(&p, 0);
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
    std::fprintf(f, "{\n  \"date\": \"%s\",\n  \"gpu\": \"%s\",\n  \"driver\": %d,\n  \"cuda_runtime\": %d,\n", date,
                 p.name, driver, runtime);
    return f;
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
//
// The header of DLPack where the distribution's is installed, else a stand-in of the same layout.
#pragma once

#include <cstdint>

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#else
enum DLDeviceType { kDLCPU = 1, kDLCUDA = 2 };
struct DLDevice {
    DLDeviceType device_type;
    int device_id;
};
struct DLDataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct DLTensor {
    void* data;
    DLDevice device;
    int ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor* self);
};
#endif

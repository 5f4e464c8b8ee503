// SPDX-License-Identifier: Apache-2.0
//
// The double-buffered shared memory of one emulated block. Each half is a heap block of its own and of exact
// size, and the bytes that a collective did not ask for are poisoned, so AddressSanitizer sees one item too
// many. A half is filled with 0xCD whenever a new collective takes it over: nobody may rely on old contents.
#pragma once

#include <cstring>
#include <memory>
#include <string>

#include "support/emulated/sanitizers.hpp"

namespace fuse::testing {

class ScratchMemory {
public:
    explicit ScratchMemory(std::size_t half_bytes) : half_bytes_(half_bytes) {
        for (Half& half : halves_) {
            half.memory.reset(new unsigned char[half_bytes]);
        }
    }

    ~ScratchMemory() {
        for (Half& half : halves_) {
            unpoison(half.memory.get(), half_bytes_);
        }
    }

    ScratchMemory(const ScratchMemory&) = delete;
    ScratchMemory& operator=(const ScratchMemory&) = delete;

    std::size_t half_bytes() const { return half_bytes_; }

    /// The memory of a thread's `call`th collective (from 1), or null and a complaint.
    void* take(unsigned call, std::size_t bytes, std::string& complaint) {
        Half& half = halves_[call % 2];
        if (bytes > half_bytes_) {
            complaint = "but the launch gave " + std::to_string(half_bytes_) + " bytes a half";
        } else if (call < half.call) {
            complaint = "but another thread already uses the same half for a later collective";
        } else if (call == half.call && bytes != half.bytes) {
            complaint = "but another thread asked for " + std::to_string(half.bytes) + " bytes";
        } else {
            if (call > half.call) {
                half.call = call;
                half.bytes = bytes;
                unpoison(half.memory.get(), half_bytes_);
                std::memset(half.memory.get(), 0xCD, half_bytes_);
                poison(half.memory.get() + bytes, half_bytes_ - bytes);
            }
            return half.memory.get();
        }
        return nullptr;
    }

private:
    struct Half {
        std::unique_ptr<unsigned char[]> memory{};
        unsigned call = 0;
        std::size_t bytes = 0;
    };

    std::size_t half_bytes_;
    Half halves_[2];
};

}  // namespace fuse::testing

// SPDX-License-Identifier: Apache-2.0
//
// Which bytes of an object are values. Between them are some that copies need not agree in: padding, and what stands for
// an empty functor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Told of an object's parts, which have no padding or know their values, fills a mask of its bytes: 255 where there is a value. One
/// without a mask ignores them.
class ValueBytes {
public:
    ValueBytes() = default;
    template <class T>
    ValueBytes(const T& object, unsigned char (&mask)[sizeof(T)])
        : object_(reinterpret_cast<std::uintptr_t>(&object)), size_(sizeof(T)), mask_(mask) {
        std::memset(mask, 0, sizeof(T));
    }

    template <class T>
    void note(const T& part) const {
        if constexpr (requires(const ValueBytes& f) { part.for_each_value(f); }) {
            part.for_each_value(*this);
        } else {
            note(reinterpret_cast<std::uintptr_t>(&part), sizeof(T));
        }
    }
    template <class T>
    void operator()(const T& value) const {
        note(value);
    }

private:
    FUSE_COLD void note(std::uintptr_t part, std::size_t size) const {
        if (mask_ == nullptr) {
            return;
        }
        const std::uintptr_t offset = part - object_;
        const bool inside = offset <= size_ && size <= size_ - offset;
        std::memset(inside ? mask_ + offset : mask_, 255, inside ? size : size_);  // of a copy: who knows which of them
    }

    std::uintptr_t object_ = 0;
    std::size_t size_ = 0;
    unsigned char* mask_ = nullptr;
};

/// Whether two objects of so many bytes, a multiple of 8, have the same values.
FUSE_HOT inline bool same_values(const unsigned char* a, const unsigned char* b, const unsigned char* mask,
                                 std::size_t size) {
    const auto word = [](const unsigned char* bytes) {
        std::uint64_t w = 0;
        std::memcpy(&w, bytes, sizeof(w));
        return w;
    };
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < size; i += sizeof(differ)) {
        differ |= (word(a + i) ^ word(b + i)) & word(mask + i);
    }
    return differ == 0;
}

}  // namespace detail

FUSE_END_NAMESPACE

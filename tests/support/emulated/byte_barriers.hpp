// SPDX-License-Identifier: Apache-2.0
//
// The barriers of bytes of one emulated block, and the bulk copies that they count. What a copy brings arrives as late as it
// may, when somebody waits for it, and what it overwrites is gone as early as it may be, when it starts: so neither a
// forgotten wait nor a slot that was freed too early goes unnoticed. ThreadSanitizer sees both as writes.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "support/emulated/launch_state.hpp"
#include "support/emulated/sanitizers.hpp"
#include "support/emulated/thread_state.hpp"

namespace fuse::testing {

/// Members return what is wrong, or nothing.
class ByteBarriers {
public:
    ByteBarriers(LaunchState& launch, unsigned char* own, std::size_t own_bytes)
        : launch_(launch), own_(own), own_bytes_(own_bytes) {}

    std::string begin(const std::uint64_t* barrier) {
        if (!inside(barrier, sizeof *barrier, sizeof *barrier)) {
            return "that is not in own_memory";
        }
        if (!barriers_.emplace(barrier, Barrier{}).second) {
            return "that has begun already";
        }
        return {};
    }

    std::string expect(const std::uint64_t* barrier, std::size_t bytes) {
        Barrier* const b = find(barrier);
        if (b == nullptr) {
            return not_begun;
        }
        if (b->expects) {
            return "whose phase expects bytes already";
        }
        if (!b->landed) {
            return "whose last phase nobody has waited for";
        }
        b->expects = true;
        b->missing += static_cast<std::ptrdiff_t>(bytes);
        advance(*b);
        return {};
    }

    std::string copy(const PendingCopy& copy, const std::uint64_t* barrier) {
        Barrier* const b = find(barrier);
        if (b == nullptr) {
            return "to a barrier " + not_begun;
        }
        const bool aligned = copy.bytes % 16 == 0 && reinterpret_cast<std::uintptr_t>(copy.from) % 16 == 0;
        if (!aligned || copy.bytes == 0 || !inside(copy.to, copy.bytes, 16)) {
            return "that are not whole 16 bytes, from 16-byte aligned memory to own_memory";
        }
        if (!b->expects || b->missing < static_cast<std::ptrdiff_t>(copy.bytes)) {
            return "that the barrier does not expect";
        }
        std::memset(copy.to, 0xCD, copy.bytes);
        const Unobserved scope;
        release(b);
        b->copies.push_back({copy, {}});
        b->missing -= static_cast<std::ptrdiff_t>(copy.bytes);
        advance(*b);
        return {};
    }

    /// A word from another block; it may be there before its bytes are expected.
    std::string receive(unsigned* to, unsigned word, const std::uint64_t* barrier) {
        Barrier* const b = find(barrier);
        if (b == nullptr) {
            return "to a barrier " + not_begun;
        }
        if (!b->landed) {
            return "to a barrier whose last phase nobody has waited for";
        }
        std::memset(to, 0xCD, sizeof word);
        const Unobserved scope;
        release(b);
        b->copies.push_back({PendingCopy{to, nullptr, sizeof word}, word});
        b->missing -= static_cast<std::ptrdiff_t>(sizeof word);
        advance(*b);
        return {};
    }

    /// Whether the phase with this parity is not over yet.
    std::string wait(const std::uint64_t* barrier, unsigned parity, bool& must_wait) {
        Barrier* const b = find(barrier);
        if (b == nullptr) {
            return not_begun;
        }
        must_wait = b->phase % 2 == parity;
        if (!must_wait) {
            acquire(b);
            if (!b->landed) {
                for (const Arrival& arrival : b->copies) {
                    const PendingCopy& copy = arrival.copy;
                    std::memcpy(copy.to, copy.from == nullptr ? &arrival.word : copy.from, copy.bytes);
                }
                const Unobserved scope;
                b->copies.clear();
                b->landed = true;
                release(b);
            }
        }
        return {};
    }

    /// Whether a copy is under way that nobody has waited for.
    bool idle() const {
        for (const auto& [address, barrier] : barriers_) {
            if (barrier.expects || !barrier.landed) {
                return false;
            }
        }
        return true;
    }

private:
    struct Arrival {
        PendingCopy copy;
        unsigned word;  // where it is not copied from memory
    };
    struct Barrier {
        unsigned phase = 0;  // the one that is not over
        bool expects = false;
        bool landed = true;  // the bytes of the phase before
        std::ptrdiff_t missing = 0;
        std::vector<Arrival> copies{};
    };
    static inline const std::string not_begun = "that has not begun";

    bool inside(const void* p, std::size_t bytes, std::size_t alignment) const {
        const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(own_);
        return offset <= own_bytes_ && bytes <= own_bytes_ - offset && offset % alignment == 0;
    }
    Barrier* find(const std::uint64_t* barrier) {
        const auto found = barriers_.find(barrier);
        return found == barriers_.end() ? nullptr : &found->second;
    }
    void advance(Barrier& b) {
        ++launch_.progress;
        if (b.expects && b.missing == 0) {
            b.expects = false;
            b.landed = b.copies.empty();
            ++b.phase;
        }
    }

    LaunchState& launch_;
    unsigned char* own_;
    std::size_t own_bytes_;
    std::map<const std::uint64_t*, Barrier> barriers_{};
};

}  // namespace fuse::testing

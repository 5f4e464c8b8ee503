// SPDX-License-Identifier: Apache-2.0
//
// What the sanitizers must be told about emulated threads; all of it is empty without them. AddressSanitizer
// wants to know of every stack switch. ThreadSanitizer sees each fiber as a thread that synchronises with
// nobody, except through the release / acquire pairs placed at launches and barriers: so it finds a missing
// barrier or a race between blocks although everything runs on one OS thread. The emulator's own bookkeeping
// is hidden from it.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUSE_TESTING_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define FUSE_TESTING_TSAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FUSE_TESTING_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define FUSE_TESTING_TSAN 1
#endif
#if !defined(FUSE_TESTING_ASAN)
#define FUSE_TESTING_ASAN 0
#endif
#if !defined(FUSE_TESTING_TSAN)
#define FUSE_TESTING_TSAN 0
#endif

#if FUSE_TESTING_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if FUSE_TESTING_TSAN
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreReadsBegin(const char* file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char* file, int line);
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#endif

namespace fuse::testing {

inline void poison([[maybe_unused]] void* p, [[maybe_unused]] std::size_t bytes) {
#if FUSE_TESTING_ASAN
    __asan_poison_memory_region(p, bytes);
#endif
}

inline void unpoison([[maybe_unused]] void* p, [[maybe_unused]] std::size_t bytes) {
#if FUSE_TESTING_ASAN
    __asan_unpoison_memory_region(p, bytes);
#endif
}

/// Everything before a release of `token` happens before what follows an acquire of it.
inline void release([[maybe_unused]] void* token) {
#if FUSE_TESTING_TSAN
    __tsan_release(token);
#endif
}

inline void acquire([[maybe_unused]] void* token) {
#if FUSE_TESTING_TSAN
    __tsan_acquire(token);
#endif
}

/// Memory accesses of this scope are the emulator's, not the tested code's.
class Unobserved {
public:
    Unobserved() {
#if FUSE_TESTING_TSAN
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
    }

    ~Unobserved() {
#if FUSE_TESTING_TSAN
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
    }

    Unobserved(const Unobserved&) = delete;
    Unobserved& operator=(const Unobserved&) = delete;
};

/// One end of the switches between the scheduler and a fiber: `leave` before the jump away, `arrive` after
/// the jump back. `stack` and `bytes` describe the stack that is jumped to.
class SwitchEnd {
public:
    void leave([[maybe_unused]] const void* stack, [[maybe_unused]] std::size_t bytes, [[maybe_unused]] void* thread) {
#if FUSE_TESTING_ASAN
        __sanitizer_start_switch_fiber(&fake_stack_, stack, bytes);
#endif
#if FUSE_TESTING_TSAN
        __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
#endif
    }

    /// The last time: nobody comes back.
    static void leave_for_ever([[maybe_unused]] const void* stack, [[maybe_unused]] std::size_t bytes,
                               [[maybe_unused]] void* thread) {
#if FUSE_TESTING_ASAN
        __sanitizer_start_switch_fiber(nullptr, stack, bytes);
#endif
#if FUSE_TESTING_TSAN
        __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
#endif
    }

    /// Also tells whose stack was left.
    void arrive([[maybe_unused]] const void** left_stack, [[maybe_unused]] std::size_t* left_bytes) {
#if FUSE_TESTING_ASAN
        __sanitizer_finish_switch_fiber(fake_stack_, left_stack, left_bytes);
#endif
    }

private:
    [[maybe_unused]] void* fake_stack_ = nullptr;
};

/// ThreadSanitizer's view of the current thread, of a new one, and its end.
inline void* current_sanitizer_thread() {
#if FUSE_TESTING_TSAN
    return __tsan_get_current_fiber();
#else
    return nullptr;
#endif
}

inline void* create_sanitizer_thread() {
#if FUSE_TESTING_TSAN
    return __tsan_create_fiber(0);
#else
    return nullptr;
#endif
}

inline void destroy_sanitizer_thread([[maybe_unused]] void* thread) {
#if FUSE_TESTING_TSAN
    if (thread != nullptr) {
        __tsan_destroy_fiber(thread);
    }
#endif
}

}  // namespace fuse::testing

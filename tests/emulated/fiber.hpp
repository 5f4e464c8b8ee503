// SPDX-License-Identifier: Apache-2.0
//
// A fiber: a function with a stack of its own that can be left in the middle and entered again, a few nanoseconds a
// switch (Boost.Context's fcontext). AddressSanitizer is told of every switch, or it would take a foreign stack for
// corruption. Stacks are pooled, each with a guard page below it.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define FUSE_TESTING_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUSE_TESTING_ASAN 1
#endif
#endif
#if !defined(FUSE_TESTING_ASAN)
#define FUSE_TESTING_ASAN 0
#endif

#if FUSE_TESTING_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace fuse::testing {

inline void poison(void* p, std::size_t bytes)
{
#if FUSE_TESTING_ASAN
    __asan_poison_memory_region(p, bytes);
#else
    static_cast<void>(p);
    static_cast<void>(bytes);
#endif
}

inline void unpoison(void* p, std::size_t bytes)
{
#if FUSE_TESTING_ASAN
    __asan_unpoison_memory_region(p, bytes);
#else
    static_cast<void>(p);
    static_cast<void>(bytes);
#endif
}

class StackPool
{
public:
    static constexpr std::size_t guard_bytes = 4096;
    static constexpr std::size_t stack_bytes = (FUSE_TESTING_ASAN ? 256 : 64) * 1024; // red zones make frames larger

    StackPool() = default;
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;

    ~StackPool()
    {
        for (unsigned char* bottom : free_) {
            munmap(bottom - guard_bytes, guard_bytes + stack_bytes);
        }
    }

    unsigned char* take()
    {
        if (!free_.empty()) {
            unsigned char* bottom = free_.back();
            free_.pop_back();
            return bottom;
        }
        void* memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::bad_alloc();
        }
        mprotect(memory, guard_bytes, PROT_NONE);
        return static_cast<unsigned char*>(memory) + guard_bytes;
    }

    void give(unsigned char* bottom)
    {
        unpoison(bottom + stack_bytes - never_returned_bytes, never_returned_bytes);
        free_.push_back(bottom);
    }

private:
    // The outermost frame of a fiber is left by a jump, so its red zones are still poisoned; all inner ones are gone.
    static constexpr std::size_t never_returned_bytes = 8 * 1024;

    std::vector<unsigned char*> free_;
};

inline StackPool& stack_pool()
{
    static thread_local StackPool pool;
    return pool;
}

class Fiber
{
public:
    /// body(argument) runs at the first resume() and must not throw.
    Fiber(void (*body)(void*), void* argument) : body_(body), argument_(argument) {}
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;
    ~Fiber() { release_stack(); }

    bool started() const { return started_; }
    bool finished() const { return finished_; }

    /// Called outside: runs the fiber until it suspends or its body returns.
    void resume()
    {
        if (!started_) {
            stack_ = stack_pool().take();
            context_ = boost::context::detail::make_fcontext(stack_ + StackPool::stack_bytes, StackPool::stack_bytes,
                                                             &Fiber::enter);
            started_ = true;
        }
        start_switch(&outer_fake_stack_, stack_, StackPool::stack_bytes);
        context_ = boost::context::detail::jump_fcontext(context_, this).fctx;
        finish_switch(outer_fake_stack_, nullptr, nullptr);
        if (finished_) {
            release_stack();
        }
    }

    /// Called inside: returns at the next resume().
    void suspend()
    {
        start_switch(&fake_stack_, outer_bottom_, outer_bytes_);
        outer_ = boost::context::detail::jump_fcontext(outer_, nullptr).fctx;
        finish_switch(fake_stack_, &outer_bottom_, &outer_bytes_);
    }

private:
    static void enter(boost::context::detail::transfer_t from)
    {
        Fiber& self = *static_cast<Fiber*>(from.data);
        self.outer_ = from.fctx;
        finish_switch(nullptr, &self.outer_bottom_, &self.outer_bytes_);
        self.body_(self.argument_);
        self.finished_ = true;
        start_switch(nullptr, self.outer_bottom_, self.outer_bytes_);
        boost::context::detail::jump_fcontext(self.outer_, nullptr);
    }

    static void start_switch(void** fake_stack, const void* bottom, std::size_t bytes)
    {
#if FUSE_TESTING_ASAN
        __sanitizer_start_switch_fiber(fake_stack, bottom, bytes);
#else
        static_cast<void>(fake_stack);
        static_cast<void>(bottom);
        static_cast<void>(bytes);
#endif
    }

    static void finish_switch(void* fake_stack, const void** bottom, std::size_t* bytes)
    {
#if FUSE_TESTING_ASAN
        __sanitizer_finish_switch_fiber(fake_stack, bottom, bytes);
#else
        static_cast<void>(fake_stack);
        static_cast<void>(bottom);
        static_cast<void>(bytes);
#endif
    }

    void release_stack()
    {
        if (stack_ != nullptr) {
            stack_pool().give(stack_);
            stack_ = nullptr;
        }
    }

    void (*body_)(void*);
    void* argument_;
    unsigned char* stack_ = nullptr;
    boost::context::detail::fcontext_t context_ = nullptr;
    boost::context::detail::fcontext_t outer_ = nullptr;
    void* fake_stack_ = nullptr;
    void* outer_fake_stack_ = nullptr;
    const void* outer_bottom_ = nullptr;
    std::size_t outer_bytes_ = 0;
    bool started_ = false;
    bool finished_ = false;
};

} // namespace fuse::testing

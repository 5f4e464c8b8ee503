// SPDX-License-Identifier: Apache-2.0
//
// A fiber: a function with a stack of its own that can be left in the middle and entered again, a few
// nanoseconds a switch (Boost.Context's fcontext). Stacks are pooled, each with a guard page below it.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

#include "support/emulated/sanitizers.hpp"

namespace fuse::testing {

class StackPool {
public:
    static constexpr std::size_t guard_bytes = 4096;
#ifdef __OPTIMIZE__
    static constexpr bool large_frames = FUSE_TESTING_ASAN || FUSE_TESTING_TSAN;
#else
    static constexpr bool large_frames = true;
#endif
    static constexpr std::size_t stack_bytes = (large_frames ? 256 : 64) * 1024;

    StackPool() = default;
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;

    ~StackPool() {
        for (unsigned char* bottom : free_) {
            unmap(bottom);
        }
    }

    unsigned char* take() {
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

    void give(unsigned char* bottom) {
        if (FUSE_TESTING_TSAN) {  // two threads that use one stack in turn would look like a race
            unmap(bottom);
            return;
        }
        unpoison(bottom + stack_bytes - never_returned_bytes, never_returned_bytes);
        free_.push_back(bottom);
    }

private:
    // The outermost frame of a fiber is left by a jump, so its red zones are still poisoned; all inner ones
    // are gone.
    static constexpr std::size_t never_returned_bytes = 8 * 1024;

    static void unmap(unsigned char* bottom) {
        munmap(bottom - guard_bytes, guard_bytes + stack_bytes);
    }

    std::vector<unsigned char*> free_;
};

inline StackPool& stack_pool() {
    static thread_local StackPool pool;
    return pool;
}

class Fiber {
public:
    /// body(argument) runs at the first resume() and must not throw.
    Fiber(void (*body)(void*), void* argument) : body_(body), argument_(argument) {}
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;
    ~Fiber() { release_stack(); }

    bool started() const { return started_; }
    bool finished() const { return finished_; }

    /// Called outside: runs the fiber until it suspends or its body returns.
    void resume() {
        if (!started_) {
            stack_ = stack_pool().take();
            sanitizer_thread_ = create_sanitizer_thread();
            context_ = boost::context::detail::make_fcontext(stack_ + StackPool::stack_bytes, StackPool::stack_bytes,
                                                             &Fiber::enter);
            started_ = true;
        }
        outer_thread_ = current_sanitizer_thread();
        const auto context = context_;  // from `leave` on, ThreadSanitizer takes us for the other thread
        outside_.leave(stack_, StackPool::stack_bytes, sanitizer_thread_);
        context_ = boost::context::detail::jump_fcontext(context, this).fctx;
        outside_.arrive(nullptr, nullptr);
        if (finished_) {
            release_stack();
        }
    }

    /// Called inside: returns at the next resume().
    void suspend() {
        const auto context = outer_context_;
        inside_.leave(outer_stack_, outer_bytes_, outer_thread_);
        outer_context_ = boost::context::detail::jump_fcontext(context, nullptr).fctx;
        inside_.arrive(&outer_stack_, &outer_bytes_);
    }

private:
    static void enter(boost::context::detail::transfer_t from) {
        Fiber& self = begin(from);
        self.run();
        const Exit exit = self.end();
        SwitchEnd::leave_for_ever(exit.stack, exit.bytes, exit.thread);
        boost::context::detail::jump_fcontext(exit.context, nullptr);
    }

    struct Exit {
        boost::context::detail::fcontext_t context;
        const void* stack;
        std::size_t bytes;
        void* thread;
    };

    static Fiber& begin(const boost::context::detail::transfer_t& from) {
        const Unobserved scope;
        Fiber& self = *static_cast<Fiber*>(from.data);
        self.outer_context_ = from.fctx;
        self.inside_.arrive(&self.outer_stack_, &self.outer_bytes_);
        return self;
    }

    void run() {
        void (*body)(void*) = nullptr;
        void* argument = nullptr;
        {
            const Unobserved scope;
            body = body_;
            argument = argument_;
        }
        body(argument);
    }

    Exit end() {
        const Unobserved scope;
        finished_ = true;
        return {outer_context_, outer_stack_, outer_bytes_, outer_thread_};
    }

    void release_stack() {
        if (stack_ != nullptr) {
            destroy_sanitizer_thread(sanitizer_thread_);
            stack_pool().give(stack_);
            stack_ = nullptr;
        }
    }

    void (*body_)(void*);
    void* argument_;
    unsigned char* stack_ = nullptr;
    boost::context::detail::fcontext_t context_ = nullptr;
    boost::context::detail::fcontext_t outer_context_ = nullptr;
    SwitchEnd inside_{};
    SwitchEnd outside_{};
    const void* outer_stack_ = nullptr;
    std::size_t outer_bytes_ = 0;
    void* sanitizer_thread_ = nullptr;
    void* outer_thread_ = nullptr;
    bool started_ = false;
    bool finished_ = false;
};

}  // namespace fuse::testing

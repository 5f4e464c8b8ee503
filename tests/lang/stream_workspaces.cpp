// SPDX-License-Identifier: Apache-2.0
//
// The workspaces of streams on an imagined device: real threads make launches, others carry them out later, in the
// order of each stream. A workspace is never used by two launches at a time, is zero when a launch begins, and is
// given back by streams that are gone. Under ThreadSanitizer, too (label races).
#include "fuse/exec/stream_workspaces.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace {

/// Device memory: `users` launches run in it now.
struct Block {
    std::size_t bytes = 0;
    std::atomic<int> users{0};
    std::atomic<bool> zero{false};
    std::atomic<bool> freed{false};
};

std::atomic<int> faults{0};
std::atomic<std::size_t> allocated{0};
std::atomic<bool> exhausted{false};

class ImaginedStream {
public:
    std::uint64_t id = next_id++;

    void submit(std::function<void()> work) {
        const std::lock_guard<std::mutex> guard(mutex_);
        queue_.push_back(std::move(work));
        ++submitted;
    }
    /// Carries out the next piece of work.
    bool step() {
        std::function<void()> work;
        {
            const std::lock_guard<std::mutex> guard(mutex_);
            if (queue_.empty()) {
                return false;
            }
            work = std::move(queue_.front());
            queue_.pop_front();
        }
        work();
        ++done;
        return true;
    }
    std::atomic<long> submitted{0};
    std::atomic<long> done{0};

private:
    static inline std::atomic<std::uint64_t> next_id{1};
    std::mutex mutex_;
    std::deque<std::function<void()>> queue_;
};

/// What it is behind, which outlives the stream.
struct ImaginedEvent {
    std::mutex mutex;
    std::shared_ptr<ImaginedStream> stream;
    long count = 0;
};

std::atomic<int> events{0};

struct ImaginedDriver {
    using Stream = std::shared_ptr<ImaginedStream>;
    using Event = ImaginedEvent*;
    struct Unrestricted {
        Unrestricted() {}
    };

    static void* allocate(const fuse::detail::MemoryDemand& demand, const Stream& stream) {
        if (exhausted) {
            throw std::runtime_error("out of memory");
        }
        auto* const block = new Block;
        block->bytes = demand.bytes;
        allocated += demand.bytes;
        stream->submit([block] { block->zero = true; });
        return block;
    }
    static void free_in_order(void* p, const Stream& stream) {
        stream->submit([p] { free(p); });
    }
    static void free(void* p) {
        auto* const block = static_cast<Block*>(p);
        faults += block->users != 0 || block->freed.exchange(true);
        allocated -= block->bytes;
        delete block;
    }
    static Event make_event() {
        ++events;
        return new ImaginedEvent;
    }
    static void record(Event event, const Stream& stream) {
        const std::lock_guard<std::mutex> guard(event->mutex);
        event->stream = stream;
        event->count = stream->submitted;
    }
    static bool passed(Event event) {
        const std::lock_guard<std::mutex> guard(event->mutex);
        return event->stream->done >= event->count;
    }
};

using Workspaces = fuse::detail::StreamWorkspaces<ImaginedDriver>;

/// One eval: the kernel finds its counters zero and leaves them so.
void eval(Workspaces& workspaces, const std::shared_ptr<ImaginedStream>& stream, std::size_t bytes,
          bool lookback = false) {
    const auto lease = workspaces.take(stream, stream->id, {bytes, bytes, lookback});
    auto* const block = static_cast<Block*>(lease.data());
    stream->submit([block, bytes] {
        faults += block->users.fetch_add(1) != 0 || block->bytes < bytes || !block->zero.exchange(false);
        std::this_thread::yield();
        block->zero = true;
        --block->users;
    });
    lease.launched();
}

void finish(const std::shared_ptr<ImaginedStream>& stream) {
    while (stream->step()) {
    }
}

}  // namespace

TEST_CASE("a stream keeps its workspace, which grows with what is asked for") {
    static Workspaces workspaces;
    const auto stream = std::make_shared<ImaginedStream>();
    const auto other = std::make_shared<ImaginedStream>();
    eval(workspaces, stream, 100);
    eval(workspaces, stream, 80);
    CHECK((workspaces.bytes() == 100 && allocated == 100));
    eval(workspaces, other, 50);  // the first is not done
    CHECK(workspaces.bytes() == 150);
    eval(workspaces, stream, 300);
    eval(workspaces, stream, 70, true);  // memory of its own
    CHECK(workspaces.bytes() == 420);
    workspaces.release();  // what is in use stays
    CHECK(workspaces.bytes() == 420);
    finish(stream);
    workspaces.release();
    CHECK(workspaces.bytes() == 50);
    finish(other);
    workspaces.release();
    CHECK((workspaces.bytes() == 0 && allocated == 0));
    eval(workspaces, other, 50);
    finish(other);
    CHECK((workspaces.bytes() == 50 && faults == 0));
    workspaces.release();
}

TEST_CASE("streams that are gone leave their workspace to others") {
    static Workspaces workspaces;
    for (int i = 0; i < 10000; ++i) {
        const auto stream = std::make_shared<ImaginedStream>();
        eval(workspaces, stream, 1000, i % 3 == 0);
        eval(workspaces, stream, 1000, i % 2 == 0);
        finish(stream);
    }
    CHECK((workspaces.bytes() <= 1000 * Workspaces::places && workspaces.bytes() == allocated));
    // More of them at work than there are places: the rest allocate for themselves, and give back.
    std::vector<std::shared_ptr<ImaginedStream>> many(1000);
    for (auto& stream : many) {
        stream = std::make_shared<ImaginedStream>();
        eval(workspaces, stream, 1000);
    }
    CHECK(allocated >= 900 * 1000);
    for (const auto& stream : many) {
        finish(stream);
    }
    CHECK(workspaces.bytes() == allocated);
    workspaces.release();
    CHECK((allocated == 0 && faults == 0 && events <= 3 * static_cast<int>(Workspaces::places)));
}

TEST_CASE("without memory nothing is launched, and the next eval works") {
    static Workspaces workspaces;
    const auto stream = std::make_shared<ImaginedStream>();
    exhausted = true;
    CHECK_THROWS_AS(eval(workspaces, stream, 100), std::runtime_error);
    CHECK((stream->submitted == 0 && workspaces.bytes() == 0));
    exhausted = false;
    eval(workspaces, stream, 100);
    exhausted = true;
    CHECK_THROWS_AS(eval(workspaces, stream, 200), std::runtime_error);
    eval(workspaces, stream, 100);
    exhausted = false;
    eval(workspaces, stream, 200);
    CHECK(workspaces.bytes() == 200);
    finish(stream);
    workspaces.release();
    CHECK((allocated == 0 && faults == 0));
}

TEST_CASE("threads on streams of their own and on one that they share") {
    static Workspaces workspaces;
    constexpr int threads = 4;
    constexpr int rounds = 500;
    const auto shared = std::make_shared<ImaginedStream>();
    std::atomic<bool> over{false};
    std::vector<std::shared_ptr<ImaginedStream>> own(threads);
    for (auto& stream : own) {
        stream = std::make_shared<ImaginedStream>();
    }
    std::thread device([&] {
        bool worked = true;
        while (worked || !over) {
            const bool ending = over;
            worked = shared->step();
            for (const auto& stream : own) {
                worked = stream->step() || worked;
            }
            worked = worked || !ending;
        }
    });
    std::vector<std::thread> hosts;
    for (int t = 0; t < threads; ++t) {
        hosts.emplace_back([&, t] {
            for (int i = 0; i < rounds; ++i) {
                const auto size = static_cast<std::size_t>(100 + 10 * (i % 7));
                eval(workspaces, t % 2 == 0 && i % 2 == 0 ? shared : own[static_cast<std::size_t>(t)], size,
                     i % 5 == 0);
                if (i % 50 == 0) {
                    workspaces.release();
                }
            }
        });
    }
    for (std::thread& host : hosts) {
        host.join();
    }
    over = true;
    device.join();
    finish(shared);
    for (const auto& stream : own) {
        finish(stream);
    }
    CHECK(faults == 0);
    workspaces.release();
    CHECK((workspaces.bytes() == 0 && allocated == 0));
}

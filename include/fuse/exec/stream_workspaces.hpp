// SPDX-License-Identifier: Apache-2.0
//
// The workspaces of the streams of one device: a fixed number of places, each with memory, the stream that used it
// last, and an event behind that use. An eval takes the place of its own stream, whose work is ordered, or else one
// whose event has passed, so that streams which are gone leave nothing behind. Where there is no such place it
// allocates for itself, in stream order. Nobody waits for work on the device or for another stream's launch, and no
// stream is asked for but the eval's own: the others may not exist any more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Memory that a launch asks for: how much of it must be zero before its first use, and what it is used for. Look-backs
/// have memory of their own, in which the messages of one launch stay for the next one to recognise as old.
struct MemoryDemand {
    std::size_t bytes = 0;
    std::size_t cleared = 0;
    bool lookback = false;
};

/// Driver: what is asked of CUDA (exec/workspace.hpp), or of a device that a test imagines.
///   Stream, Event, Unrestricted  the last is held while other than the eval's own stream is concerned
///   allocate(demand, stream), free_in_order(p, stream)   ordered as the work on the stream is
///   free(p)                      what no work uses any more
///   make_event(), record(event, stream), passed(event)
template <class Driver>
class StreamWorkspaces {
    struct Place;

public:
    using Stream = typename Driver::Stream;
    static constexpr unsigned places = 64;

    constexpr StreamWorkspaces() = default;
    StreamWorkspaces(const StreamWorkspaces&) = delete;

    /// Memory for one launch, the caller's until the end of the scope.
    class Lease {
    public:
        Lease(const Lease&) = delete;
        ~Lease() {
            if (place_ != nullptr) {
                place_->lock.unlock();
            } else {
                Driver::free_in_order(data_, stream_);
            }
        }
        void* data() const { return data_; }
        std::size_t bytes() const { return bytes_; }
        /// The launch has been made.
        void launched() const {
            if (place_ != nullptr) {
                Driver::record(place_->event, stream_);
            }
        }

    private:
        friend StreamWorkspaces;
        Lease(Place* place, Stream stream, void* data, std::size_t bytes)
            : place_(place), stream_(stream), data_(data), bytes_(bytes) {}

        Place* place_;
        Stream stream_;
        void* data_;
        std::size_t bytes_;
    };

    /// id: of the stream, unique for the life of the program, unlike its handle.
    FUSE_COLD Lease take(Stream stream, std::uint64_t id, const MemoryDemand& demand) {
        const std::uint64_t user = 2 * id + (demand.lookback ? 2 : 1);
        Place* place = find_own(user);
        if (place != nullptr && place->bytes >= demand.bytes) {
            return Lease(place, stream, place->data, place->bytes);
        }
        const typename Driver::Unrestricted unrestricted;
        place = place != nullptr ? place : find_unused(user);
        if (place == nullptr) {
            return Lease(nullptr, stream, Driver::allocate(demand, stream), demand.bytes);
        }
        fit(*place, stream, user, demand);
        return Lease(place, stream, place->data, place->bytes);
    }

    /// Gives back the memory of all evals that are done. Others keep theirs.
    FUSE_RARE void release() {
        const typename Driver::Unrestricted unrestricted;
        for (Place& place : place_) {
            if (place.lock.try_lock()) {
                if (place.data != nullptr && Driver::passed(place.event)) {
                    Driver::free(place.data);
                    count(place, 0);
                    place.data = nullptr;
                    set_user(place, 0);
                }
                place.lock.unlock();
            }
        }
    }

    /// Bytes that are kept.
    std::size_t bytes() const { return __atomic_load_n(&bytes_, __ATOMIC_RELAXED); }

private:
    struct Place {
        SpinLock lock;           ///< held while a launch is made
        std::uint64_t user = 0;  ///< which stream, and what for; looked at without the lock, too
        void* data = nullptr;
        std::size_t bytes = 0;
        typename Driver::Event event{};
        bool has_event = false;
    };
    /// Consecutive ids have places side by side; so many of them are looked at.
    static constexpr unsigned looked_at = 8;

    static void set_user(Place& place, std::uint64_t user) { __atomic_store_n(&place.user, user, __ATOMIC_RELAXED); }

    /// The user's place, locked; null where it has none that nobody else launches with.
    Place* find_own(std::uint64_t user) {
        for (unsigned i = 0; i < looked_at; ++i) {
            Place& place = place_[(user / 2 + i) % places];
            if (__atomic_load_n(&place.user, __ATOMIC_RELAXED) == user && place.lock.try_lock()) {
                if (place.user == user) {
                    return &place;
                }
                place.lock.unlock();
            }
        }
        return nullptr;
    }
    /// One that is empty or whose last user is done, locked; null where there is none.
    Place* find_unused(std::uint64_t user) {
        for (unsigned i = 0; i < looked_at; ++i) {
            Place& place = place_[(user / 2 + i) % places];
            if (place.lock.try_lock()) {
                if (place.data == nullptr || Driver::passed(place.event)) {
                    return &place;
                }
                place.lock.unlock();
            }
        }
        return nullptr;
    }

    /// Makes a locked place the user's, with memory that suffices; gives the lock back where that throws.
    FUSE_RARE void fit(Place& place, Stream stream, std::uint64_t user, const MemoryDemand& demand) {
        const bool same_use = place.user % 2 == user % 2;
        if (!same_use || place.bytes < demand.bytes) {
            try {
                renew(place, stream, demand);
            } catch (...) {
                place.lock.unlock();
                throw;
            }
        }
        set_user(place, user);
    }
    FUSE_RARE void renew(Place& place, Stream stream, const MemoryDemand& demand) {
        if (!place.has_event) {
            place.event = Driver::make_event();
            place.has_event = true;
        }
        void* const fresh = Driver::allocate(demand, stream);
        if (place.data != nullptr) {
            Driver::free_in_order(place.data, stream);
        }
        place.data = fresh;
        count(place, demand.bytes);
        Driver::record(place.event, stream);  // behind the clearing, should the launch fail
    }

    void count(Place& place, std::size_t bytes) {
        __atomic_fetch_add(&bytes_, bytes - place.bytes, __ATOMIC_RELAXED);
        place.bytes = bytes;
    }

    Place place_[places];
    std::size_t bytes_ = 0;
};

}  // namespace detail

FUSE_END_NAMESPACE

// SPDX-License-Identifier: Apache-2.0
//
// What a generated program runs in: its buffers come from a data file as they lie in memory, gaps and all, and go back
// to a result file after the run, where the driver compares them. FUZZ_EMULATED chooses the emulated device; a .cu file
// runs on the GPU; else the host executor runs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "fuse/fuse.hpp"

#if defined(FUZZ_EMULATED)
#include "support/emulated_executor.hpp"
#endif
#if defined(__CUDACC__)
#include "support/gpu.hpp"
#endif

#if defined(__CUDACC__)
#define FUZZ_HD __host__ __device__
#else
#define FUZZ_HD
#endif

namespace fuzz {

/// A reduction that does not commute: the last element that is not zero, 0 if there is none.
struct Last {
    struct accumulator {
        float value;
        bool some;
    };
    using result = float;
    static constexpr bool commutative = false;
    FUSE_HD accumulator init() const { return {0, false}; }
    FUSE_HD accumulator leaf(float v, fuse::index_t) const { return {v, v != 0}; }
    FUSE_HD accumulator combine(accumulator a, accumulator b) const { return b.some ? b : a; }
    FUSE_HD float project(accumulator a, fuse::index_t) const { return a.some ? a.value : 0; }
};

/// Memory of exactly that many bytes, so that AddressSanitizer sees the first one beyond. On a GPU it has a twin there.
/// After most errors of a GPU nothing works: they end the program, and the driver starts the rest anew.
class Buffer {
public:
    explicit Buffer(std::size_t bytes) : host_(new unsigned char[bytes]), bytes_(bytes) {}

    unsigned char* host() const { return host_.get(); }
    std::size_t bytes() const { return bytes_; }

#if defined(__CUDACC__)
    /// Where the program reads and writes.
    unsigned char* data() const {
        return device_.get();
    }
    void to_device() const {
        device_.upload(host());
    }
    void to_host() const {
        device_.download(host());
    }
#else
    unsigned char* data() const {
        return host();
    }
    void to_device() const {}
    void to_host() const {}
#endif

private:
    std::unique_ptr<unsigned char[]> host_;
    std::size_t bytes_;
#if defined(__CUDACC__)
    fuse::testing::DeviceBuffer<unsigned char> device_{bytes_};
#endif
};

/// The buffers of one program, and the executor.
class Case {
public:
    std::deque<Buffer> buffers{};  // which stay where they are

    auto executor() const {
#if defined(__CUDACC__)
        return fuse::cuda;
#elif defined(FUZZ_EMULATED)
        return fuse::testing::EmulatedExecutor{};
#else
        return fuse::host.with(policy_);
#endif
    }

    template <class T>
    T* at(int buffer, fuse::index_t element) const {
        return reinterpret_cast<T*>(buffers[static_cast<std::size_t>(buffer)].data()) + element;
    }
    void blocks_of(fuse::index_t items) {
        policy_.host_block_items = items;
        policy_.host_serial_bytes = 256;
    }
    template <class T, class V>
    void put(int buffer, fuse::index_t element, V value) const {
        const T stored = static_cast<T>(value);
#if defined(__CUDACC__)
        fuse::testing::check_cuda(cudaMemcpy(at<T>(buffer, element), &stored, sizeof(T), cudaMemcpyHostToDevice));
#else
        *at<T>(buffer, element) = stored;
#endif
    }
    template <class... S>
    void eval(const S&... statements) const {
        fuse::eval(executor(), statements...);
        wait();
    }
    template <class E>
    auto value(const E& expression) const {
        return fuse::value(executor(), expression);
    }

private:
    static void wait() {
#if defined(__CUDACC__)
        fuse::testing::check_cuda(cudaDeviceSynchronize());
#endif
    }

    fuse::Policy policy_{};
};

using Program = void (*)(Case&);

inline std::uint64_t read_number(std::FILE* file) {
    std::uint64_t n = 0;
    if (std::fread(&n, sizeof n, 1, file) != 1) {
        std::fprintf(stderr, "the data file ends too early\n");
        std::exit(3);
    }
    return n;
}
inline void write_number(std::FILE* file, std::uint64_t n) {
    std::fwrite(&n, sizeof n, 1, file);
}

inline Case read_case(std::FILE* file) {
    Case c;
    const std::uint64_t count = read_number(file);
    for (std::uint64_t i = 0; i < count; ++i) {
        c.buffers.emplace_back(read_number(file));
        if (c.buffers.back().bytes() != std::fread(c.buffers.back().host(), 1, c.buffers.back().bytes(), file)) {
            std::exit(3);
        }
        c.buffers.back().to_device();
    }
    return c;
}

/// The message of the exception that the program ends with, or nothing.
inline std::string message_of(Program program, Case& c) {
    try {
        program(c);
    } catch (const fuse::shape_error& e) {
        return std::string("shape_error: ") + e.what();
    } catch (const fuse::argument_error& e) {
        return std::string("argument_error: ") + e.what();
    } catch (const std::exception& e) {
        return std::string(typeid(e).name()) + ": " + e.what();
    }
    return {};
}

/// run DATA RESULT FIRST: runs programs FIRST, FIRST + 1, ...; a crash leaves the results before it.
inline int run(int argc, char** argv, std::initializer_list<Program> programs) {
    std::FILE* data = argc == 4 ? std::fopen(argv[1], "rb") : nullptr;
    std::FILE* results = argc == 4 ? std::fopen(argv[2], "wb") : nullptr;
    if (data == nullptr || results == nullptr) {
        return 3;
    }
    int index = 0;
    for (const Program program : programs) {
        Case c = read_case(data);
        if (index++ < std::atoi(argv[3])) {
            continue;
        }
        const std::string message = message_of(program, c);
        write_number(results, message.size());
        std::fwrite(message.data(), 1, message.size(), results);
        for (const Buffer& b : c.buffers) {
            b.to_host();
            std::fwrite(b.host(), 1, b.bytes(), results);
        }
        std::fflush(results);
    }
    std::fclose(results);
    std::fclose(data);
    return 0;
}

}  // namespace fuzz

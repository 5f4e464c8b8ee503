// SPDX-License-Identifier: Apache-2.0
//
// What fuse's entries share. Each file beside this one is compiled once for every element type, as BENCH_ELEMENT: more
// and smaller pieces for the compilers that run at the same time.
#pragma once

#include <fuse/fuse.hpp>

#include "../entry.hpp"

namespace bench {

#if defined(__CUDACC__)
inline auto executor(const Setup& s) {
    // Memory of our own: launches are captured in graphs, too, and then nothing may be allocated.
    static fuse::workspace memory(std::size_t{512} << 20);
    return fuse::cuda.on(s.stream()).with(memory);
}
/// As users have it, without memory of theirs.
inline auto plain_executor(const Setup& s) {
    return fuse::cuda.on(s.stream());
}
#else
inline auto executor(const Setup&) {
    return fuse::host;
}
inline auto plain_executor(const Setup&) {
    return fuse::host;
}
#endif

// Without a name, as these mean something else in files of another element type.
namespace {

using element = BENCH_ELEMENT;
constexpr Type element_type = sizeof(element) == 8 ? Type::f64 : sizeof(element) == 4 ? Type::f32 : Type::bf16;

/// The array of set k with the shape of the case; of another shape or element type; a scalar.
template <fuse::fixed_name N>
auto array(const Setup& s, int k) {
    return fuse::view<N>(s.at<element>(N.text, k), s.extent(0));
}
template <fuse::fixed_name N>
auto matrix(const Setup& s, int k) {
    return fuse::view<N>(s.at<element>(N.text, k), s.extent(0), s.extent(1));
}
template <fuse::fixed_name N, class T, class... I>
auto shaped(const Setup& s, int k, I... extents) {
    return fuse::view<N>(s.at<T>(N.text, k), extents...);
}
/// Of the shape of a case of images, and one number per channel.
template <fuse::fixed_name N>
auto image(const Setup& s, int k) {
    return shaped<N, element>(s, k, s.extent(0), s.extent(1), s.extent(2), s.extent(3));
}
template <fuse::fixed_name N, class T = element>
auto channels(const Setup& s, int k) {
    return shaped<N, T>(s, k, s.extent(1));
}
template <fuse::fixed_name N, class T = float>
auto scalar_of(const Setup& s, int k) {
    return fuse::view<N>(s.at<T>(N.text, k), fuse::shape());
}

/// body(setup, k) evaluates one or several statements on set k.
template <class Body>
Entry entry_of_fuse(const char* problem, Body body) {
    return {problem, element_type, "fuse",
            [body](const Setup& s) -> Launch { return [&s, body](int k) { body(s, k); }; }};
}

/// A global of this type enters fuse for a problem.
struct Enter : AddEntry {
    template <class Body>
    Enter(const char* problem, Body body) : AddEntry(entry_of_fuse(problem, body)) {}
};

}  // namespace

}  // namespace bench

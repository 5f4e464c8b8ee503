// SPDX-License-Identifier: Apache-2.0
//
// view<"x">(v) of a thrust::device_vector that outlives the expression: its elements, in device memory, as
// one axis. fuse::cuda reads and writes them.
#pragma once

#include <thrust/device_vector.h>

#include "fuse/lang/refused_views.hpp"

FUSE_BEGIN_NAMESPACE

template <fixed_name N, class T, class A>
auto view(thrust::device_vector<T, A>& v) {
    return view<N>(thrust::raw_pointer_cast(v.data()), v.size());
}
template <fixed_name N, class T, class A>
auto view(const thrust::device_vector<T, A>& v) {
    return view<N>(thrust::raw_pointer_cast(v.data()), v.size());
}
template <class T, class A>
auto view(thrust::device_vector<T, A>& v) {
    return view(thrust::raw_pointer_cast(v.data()), v.size());
}
template <class T, class A>
auto view(const thrust::device_vector<T, A>& v) {
    return view(thrust::raw_pointer_cast(v.data()), v.size());
}

/// An owning temporary would be gone before the expression runs.
template <fixed_name N, class T, class A,
          class = detail::a_temporary_would_be_gone_before_the_expression_runs__give_it_a_name>
void view(const thrust::device_vector<T, A>&&) = delete;
template <class T, class A, class = detail::a_temporary_would_be_gone_before_the_expression_runs__give_it_a_name>
void view(const thrust::device_vector<T, A>&&) = delete;

FUSE_END_NAMESPACE

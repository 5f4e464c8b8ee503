// SPDX-License-Identifier: Apache-2.0
//
// The same as first.cpp, compiled by nvcc.
#include "first.cpp"

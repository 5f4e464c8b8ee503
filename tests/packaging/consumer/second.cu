// SPDX-License-Identifier: Apache-2.0
//
// The same as second.cpp, compiled by nvcc.
#include "second.cpp"

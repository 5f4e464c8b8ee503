// SPDX-License-Identifier: Apache-2.0
//
// The same program compiled by nvcc.
#include "host.cpp"

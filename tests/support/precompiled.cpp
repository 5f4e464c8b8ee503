// SPDX-License-Identifier: Apache-2.0
//
// The source that precompiled.hpp needs to be built for.

// SPDX-License-Identifier: Apache-2.0
//
// The exceptions. Every check runs before anything is launched or written.
#pragma once

#include <exception>

#include "fuse/text.hpp"

FUSE_BEGIN_NAMESPACE

/// Base of all exceptions thrown by fuse.
class error : public std::exception {
public:
    FUSE_RARE explicit error(const Text& message) : message_(message) {}
    const char* what() const noexcept override { return message_.c_str(); }

private:
    Text message_;
};

/// Shapes that do not broadcast, an output of the wrong shape, an empty reduction without identity.
class shape_error : public error {
public:
    using error::error;
};

/// A null pointer, an output that overlaps an input, one name for two different data, a stream in the wrong state.
class argument_error : public error {
public:
    using error::error;
};

FUSE_END_NAMESPACE

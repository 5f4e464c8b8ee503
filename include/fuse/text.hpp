// SPDX-License-Identifier: Apache-2.0
//
// Text under construction. Error messages and explain() print expressions node by node; <string> would be a fifth of
// what a one-expression file costs to compile, so this is a growing character buffer and nothing else. It streams into
// any ostream and converts to std::string.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Something that is printed in a shorter way.
struct Abbreviation {
    const void* object;
    const char* text;
};

class Text {
public:
    Text() = default;
    FUSE_RARE Text(const char* part, std::size_t n) { append(part, n); }
    /// With n abbreviations, which copies of it have not.
    Text(const Abbreviation* abbreviations, std::size_t n) : abbreviations_(abbreviations), abbreviation_count_(n) {}
    FUSE_RARE Text(const Text& other) { append(other.c_str(), other.size_); }
    Text(Text&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    Text& operator=(Text other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    FUSE_RARE ~Text() { std::free(data_); }

    FUSE_RARE Text& operator<<(const char* part) {
        append(part, std::strlen(part));
        return *this;
    }
    FUSE_RARE Text& operator<<(const Text& part) {
        append(part.c_str(), part.size_);
        return *this;
    }
    FUSE_RARE Text& operator<<(index_t number) {
        char digits[24];
        char* const end = digits + sizeof(digits);
        char* p = end;
        const bool negative = number < 0;
        do {
            const int digit = static_cast<int>(number % 10);
            *--p = static_cast<char>('0' + (digit < 0 ? -digit : digit));
            number /= 10;
        } while (number != 0);
        if (negative) {
            *--p = '-';
        }
        append(p, static_cast<std::size_t>(end - p));
        return *this;
    }
    Text& operator<<(int number) { return *this << static_cast<index_t>(number); }
    Text& operator<<(unsigned number) { return *this << static_cast<index_t>(number); }

    /// What is printed in place of an object; null: itself.
    FUSE_RARE const char* abbreviation(const void* object) const {
        for (std::size_t i = 0; i < abbreviation_count_; ++i) {
            if (abbreviations_[i].object == object) {
                return abbreviations_[i].text;
            }
        }
        return nullptr;
    }

    const char* c_str() const { return data_ == nullptr ? "" : data_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    /// Takes away parentheses that enclose all that has been written since it had this size.
    FUSE_RARE void unwrap(std::size_t since) {
        int open = 0;
        for (std::size_t i = since; i < size_; ++i) {
            open += data_[i] == '(' ? 1 : data_[i] == ')' ? -1 : 0;
            if (open == 0 && i + 1 < size_) {
                return;
            }
        }
        if (open == 0 && size_ > since + 1) {
            size_ -= 2;
            std::memmove(data_ + since, data_ + since + 1, size_ - since);
            data_[size_] = '\0';
        }
    }

    /// To std::string, without naming it here.
    template <class String>
        requires requires {
            typename String::allocator_type;  // as std::string; a std::string_view would outlive the text
        }
    operator String() const { return String(c_str(), size_); }
    template <class Stream>
        requires requires(Stream& s) {
            s.rdbuf();
        }
    friend Stream& operator<<(Stream& stream, const Text& text) {
        stream.write(text.c_str(), static_cast<std::ptrdiff_t>(text.size_));
        return stream;
    }

private:
    FUSE_RARE void append(const char* part, std::size_t n) {
        if (size_ + n + 1 > capacity_) {
            capacity_ = 2 * (size_ + n) + 64;
            void* grown = std::realloc(data_, capacity_);
            if (grown == nullptr) {
                throw std::bad_alloc();
            }
            data_ = static_cast<char*>(grown);
        }
        std::memcpy(data_ + size_, part, n);
        size_ += n;
        data_[size_] = '\0';
    }

    char* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    const Abbreviation* abbreviations_ = nullptr;
    std::size_t abbreviation_count_ = 0;
};

FUSE_END_NAMESPACE

// SPDX-License-Identifier: Apache-2.0
//
// The letters by which explain calls the reductions: y = exp(x - a), a = max(x). In the order of their phases, and none
// that is the name of anything else.
#pragma once

#include <cstring>
#include <vector>

#include "fuse/exec/explanation.hpp"
#include "fuse/lang/shape_stack.hpp"
#include "fuse/plan/nodes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Where the reductions of some statements stand, and their letters. A template, so that only files that explain
/// something compile its containers.
template <class Unused = void>
class Letters {
    using Words = depending_t<Unused, Text>;

public:
    /// A reduction: its number, and its phase; one that is computed last, the epilogue, has phase 0.
    struct Reduction {
        int number;
        int phase;
        ErasedNode node;
    };

    FUSE_COLD void occurs(int number, int phase, ErasedNode node) {
        const Reduction r{number, phase, node};
        occurrences_.push_back(r);
        for (const Reduction& known : in_order) {
            if (known.number == r.number) {
                return;
            }
        }
        auto place = in_order.begin();
        while (place != in_order.end() && rank(*place) <= rank(r)) {
            ++place;
        }
        in_order.insert(place, r);
    }
    /// No letter is the name of anything else.
    FUSE_COLD void taken(const char* name) { taken_.push_back(name); }

    FUSE_COLD void give() {
        int next = 0;
        for (std::size_t i = 0; i < in_order.size(); ++i) {
            letters_.push_back(letter(next++));
            while (is_taken(letters_.back())) {
                letters_.back() = letter(next++);
            }
        }
        for (const Reduction& o : occurrences_) {
            abbreviations_.push_back({o.node.node, letters_[place(o.number)].c_str()});
        }
    }
    const Words& operator[](std::size_t i) const { return letters_[i]; }
    /// A text in which they are used.
    Text text() const { return {abbreviations_.data(), abbreviations_.size()}; }
    /// A set of reductions by number, as a set of places in the order.
    FUSE_COLD bit_set places(bit_set numbers) const {
        bit_set set = 0;
        for (std::size_t i = 0; i < in_order.size(); ++i) {
            set |= in_set(numbers, in_order[i].number) ? set_of(static_cast<int>(i)) : 0;
        }
        return set;
    }

    std::vector<Reduction> in_order;

private:
    static int rank(const Reduction& r) { return r.phase == 0 ? max_rank * 64 : r.phase; }
    static Words letter(int i) {
        const char one[] = {static_cast<char>('a' + i % 26), '\0'};
        Words t;
        t << one;
        if (i >= 26) {
            t << i / 26;
        }
        return t;
    }
    bool is_taken(const Words& letter) const {
        for (const char* name : taken_) {
            if (std::strcmp(name, letter.c_str()) == 0) {
                return true;
            }
        }
        return false;
    }
    std::size_t place(int number) const {
        std::size_t i = 0;
        while (in_order[i].number != number) {
            ++i;
        }
        return i;
    }

    std::vector<Reduction> occurrences_;
    std::vector<depending_t<Unused, const char*>> taken_;
    std::vector<Words> letters_;
    std::vector<depending_t<Unused, Abbreviation>> abbreviations_;
};

}  // namespace detail

FUSE_END_NAMESPACE

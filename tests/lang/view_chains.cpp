// SPDX-License-Identifier: Apache-2.0
//
// Views of views of views: which elements they have, against plain loops over positions, for random chains of any rank;
// and whether two elements of a view are the same memory.
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "lang/positions.hpp"
#include "lang/shape_cases.hpp"

using namespace fuse;
using namespace fuse::testing;
using detail::SliceBound;
using detail::Strided;

namespace {

/// The elements from(c) of an array of another extent.
template <class From>
Positions gathered(const Positions& p, Extent extent, From&& from) {
    Positions result{std::move(extent), {}};
    for_each_coordinate(result.extent, [&](const Coordinate& c) { result.at.push_back(p(from(c))); });
    return result;
}

/// Python's rules for x[start:stop:step], as the list of indices.
std::vector<index_t> slice_indices(index_t n, std::optional<index_t> start, std::optional<index_t> stop, index_t step) {
    std::vector<index_t> indices;
    const auto from_end = [n](index_t i) { return i < 0 ? i + n : i; };
    if (step > 0) {
        const index_t end = stop ? from_end(*stop) : n;
        for (index_t i = std::max<index_t>(start ? from_end(*start) : 0, 0); i < std::min(end, n); i += step) {
            indices.push_back(i);
        }
    } else {
        const index_t end = stop ? from_end(*stop) : -1;
        for (index_t i = std::min(start ? from_end(*start) : n - 1, n - 1); i > std::max<index_t>(end, -1); i += step) {
            indices.push_back(i);
        }
    }
    return indices;
}

class Chain {
public:
    explicit Chain(unsigned seed) : random_(seed) {}

    index_t draw(index_t low, index_t high) { return std::uniform_int_distribution<index_t>(low, high)(random_); }
    std::size_t draw_axis(const Positions& p) {
        return static_cast<std::size_t>(draw(0, static_cast<index_t>(p.extent.size()) - 1));
    }

    /// One random step on both; false where there is nothing to do.
    void step(Strided& s, Positions& p) {
        switch (draw(0, 6)) {
        case 0:
            return select(s, p);
        case 1:
            return flip(s, p);
        case 2:
            return transpose(s, p);
        case 3:
            return squeeze(s, p);
        case 4:
            return reshape(s, p);
        default:
            return slice(s, p);
        }
    }

private:
    void select(Strided& s, Positions& p) {
        const std::size_t axis = p.extent.empty() ? 0 : draw_axis(p);
        if (p.extent.empty() || p.extent[axis] == 0) {
            return;
        }
        const index_t n = p.extent[axis];
        const index_t i = draw(-n, n - 1);
        s = detail::select(s, static_cast<int>(axis), i);
        Extent extent = p.extent;
        extent.erase(extent.begin() + static_cast<std::ptrdiff_t>(axis));
        p = gathered(p, extent, [&](Coordinate c) {
            c.insert(c.begin() + static_cast<std::ptrdiff_t>(axis), i < 0 ? i + n : i);
            return c;
        });
    }
    void slice(Strided& s, Positions& p) {
        if (p.extent.empty()) {
            return;
        }
        const std::size_t axis = draw_axis(p);
        const index_t n = p.extent[axis];
        std::optional<index_t> bound[2];
        SliceBound given[2];
        for (int i = 0; i < 2; ++i) {
            if (draw(0, 2) > 0) {
                bound[i] = draw(-n - 3, n + 3);
                given[i] = *bound[i];
            }
        }
        const index_t step = (draw(0, 1) == 0 ? 1 : -1) * draw(1, 4);
        s = detail::slice(s, static_cast<int>(axis), given[0], given[1], step);
        const auto indices = slice_indices(n, bound[0], bound[1], step);
        Extent extent = p.extent;
        extent[axis] = static_cast<index_t>(indices.size());
        p = gathered(p, extent, [&](Coordinate c) {
            c[axis] = indices[static_cast<std::size_t>(c[axis])];
            return c;
        });
    }
    void flip(Strided& s, Positions& p) {
        const auto mask = static_cast<std::uint32_t>(draw(0, (1 << p.extent.size()) - 1));
        s = detail::flip(s, mask);
        p = gathered(p, p.extent, [&](Coordinate c) {
            for (std::size_t axis = 0; axis < c.size(); ++axis) {
                c[axis] = is_reduced(mask, axis) ? p.extent[axis] - 1 - c[axis] : c[axis];
            }
            return c;
        });
    }
    void transpose(Strided& s, Positions& p) {
        std::vector<index_t> order(p.extent.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random_);
        const Shape by = to_shape(order);
        REQUIRE(detail::is_permutation(by, s.shape.rank));
        s = {detail::permuted(s.shape, by), detail::permuted(s.stride, by), s.offset, s.name};
        Extent extent;
        for (const index_t axis : order) {
            extent.push_back(p.extent[static_cast<std::size_t>(axis)]);
        }
        p = gathered(p, extent, [&](const Coordinate& c) {
            Coordinate from(c.size());
            for (std::size_t axis = 0; axis < c.size(); ++axis) {
                from[static_cast<std::size_t>(order[axis])] = c[axis];
            }
            return from;
        });
    }
    void squeeze(Strided& s, Positions& p) {
        for (std::size_t axis = 0; axis < p.extent.size(); ++axis) {
            if (p.extent[axis] == 1) {
                s = detail::squeeze(s, static_cast<int>(axis));
                p.extent.erase(p.extent.begin() + static_cast<std::ptrdiff_t>(axis));
                return;
            }
        }
    }
    /// Either the same elements in row-major order, or no strides can say where they are.
    void reshape(Strided& s, Positions& p) {
        Extent wanted;
        auto rest = static_cast<index_t>(p.at.size());
        if (rest == 0) {
            return;
        }
        while (wanted.size() < 8 && (rest > 1 || draw(0, 2) == 0)) {
            std::vector<index_t> divisors;
            for (index_t d = 1; d <= rest; ++d) {
                if (rest % d == 0) {
                    divisors.push_back(d);
                }
            }
            const bool last = wanted.size() == 7;
            wanted.push_back(
                last ? rest : divisors[static_cast<std::size_t>(draw(0, static_cast<index_t>(divisors.size()) - 1))]);
            rest /= wanted.back();
        }
        const Positions expected{wanted, p.at};
        Shape asked = to_shape(wanted);
        if (asked.rank > 0 && draw(0, 1) == 0) {
            asked[static_cast<int>(draw(0, asked.rank - 1))] = -1;
        }
        try {
            s = detail::reshape(s, asked);
            p = expected;
        } catch (const shape_error&) {
            Strided only{to_shape(wanted), {}, p.at[0], ""};
            only.stride.rank = only.shape.rank;
            for (int axis = 0; axis < only.shape.rank; ++axis) {
                Coordinate next(wanted.size(), 0);
                next[static_cast<std::size_t>(axis)] = only.shape[axis] > 1 ? 1 : 0;
                only.stride[axis] = expected(next) - p.at[0];
            }
            CHECK(positions_of(only).at != expected.at);
        }
    }

    std::mt19937 random_;
};

}  // namespace

TEST_CASE("random chains of parts have the elements that plain loops say") {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        Chain chain(seed);
        Extent extent(static_cast<std::size_t>(chain.draw(0, 8)));
        for (index_t& e : extent) {
            e = extent.size() > 4 ? chain.draw(seed % 5 == 0 ? 0 : 1, 3) : chain.draw(seed % 5 == 0 ? 0 : 1, 6);
        }
        const Shape shape = to_shape(extent);
        Strided s = detail::strided(shape, row_major(shape), "x");
        if (shape.rank > 0 && seed % 7 == 0) {
            s.stride[static_cast<int>(chain.draw(0, shape.rank - 1))] = 0;
        }
        Positions p = positions_of(s);
        INFO("seed " << seed << ", shape " << to_text(extent));
        for (int i = 0; i < 6; ++i) {
            chain.step(s, p);
            const Positions got = positions_of(s);
            REQUIRE(got.extent == p.extent);
            REQUIRE(got.at == p.at);
        }
        // Whether two elements are the same memory.
        std::vector<index_t> sorted = p.at;
        std::sort(sorted.begin(), sorted.end());
        bool zero = false;
        for (int axis = 0; axis < s.shape.rank; ++axis) {
            zero = zero || (s.stride[axis] == 0 && s.shape[axis] > 1);
        }
        const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
        CHECK(repeats == (!sorted.empty() && (zero || detail::meets_itself(s.shape, s.stride))));
    }
}

TEST_CASE("whether a view meets itself, for all small strides") {
    for (int code = 0; code < 5 * 5 * 5 * 9 * 9 * 9; ++code) {
        int rest = code;
        const auto next = [&rest](int n) { return std::exchange(rest, rest / n) % n; };
        const Shape shape{3, {1 + next(5), 1 + next(5), 1 + next(5)}};
        const Shape stride{3, {3 * (next(9) - 4), next(9) - 4, 5 * (next(9) - 4)}};
        std::vector<index_t> at = positions_of({shape, stride, 0, ""}).at;
        std::sort(at.begin(), at.end());
        bool zero = false;
        for (int axis = 0; axis < 3; ++axis) {
            zero = zero || (stride[axis] == 0 && shape[axis] > 1);
        }
        const bool repeats = std::adjacent_find(at.begin(), at.end()) != at.end();
        if (repeats != (zero || detail::meets_itself(shape, stride))) {
            FAIL("shape " << to_text(to_extent(shape)) << ", strides " << to_text(to_extent(stride)));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// Operands that lie anyhow in one array: transposed, backwards, shifted, with gaps, repeating. Statements read what was
// there before any of them wrote, or are refused with nothing written. Against loops over a copy, on the host and on
// the emulated device; prepared evals are rebound from one such layout to the next.
#include <cmath>
#include <optional>
#include <random>

#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

using Numbers = std::vector<double>;
constexpr std::size_t memory_size = 600;

/// Where element (i, j) of a matrix lies in the memory.
struct Place {
    index_t first, rows, columns, down, across;

    std::size_t at(index_t i, index_t j) const { return static_cast<std::size_t>(first + i * down + j * across); }
    bool fits() const {
        for (const index_t corner : {first, first + (rows - 1) * down, first + (columns - 1) * across,
                                     first + (rows - 1) * down + (columns - 1) * across}) {
            if (corner < 0 || corner >= static_cast<index_t>(memory_size)) {
                return false;
            }
        }
        return true;
    }
    /// Calls f(i, j) for each element.
    template <class F>
    void each(F f) const {
        for (index_t i = 0; i < rows; ++i) {
            for (index_t j = 0; j < columns; ++j) {
                f(i, j);
            }
        }
    }
};

template <fixed_name Name>
auto view_at(Numbers& memory, const Place& p) {
    return view<Name>(memory.data() + p.first, shape(p.rows, p.columns), strides(p.down, p.across));
}

class Places {
public:
    index_t pick(index_t low, index_t high) {
        return low + static_cast<index_t>(engine_() % static_cast<unsigned>(high - low + 1));
    }
    /// Anywhere, or beside `other`: the same, shifted, transposed or backwards.
    Place draw(index_t rows, index_t columns, const std::optional<Place>& other, bool repeats) {
        for (;;) {
            Place p{pick(0, 599), rows, columns, columns + pick(0, 2), 1};
            if (other && pick(0, 4) > 0) {
                p = *other;
                p.first += pick(0, 2) > 0 ? 0 : pick(-2, 2) + pick(-1, 1) * p.down;
            } else if (pick(0, 2) == 0) {
                p = {p.first, rows, columns, 1, rows + pick(0, 2)};
            }
            p.across *= pick(0, 5) == 0 ? 2 : 1;
            p.down *= repeats && pick(0, 9) == 0 ? 0 : 1;
            if (pick(0, 7) == 0) {
                p.first += (rows - 1) * p.down;
                p.down = -p.down;
            }
            if (p.fits()) {
                return p;
            }
        }
    }
    void fill(Numbers& memory) {
        for (double& v : memory) {
            v = static_cast<double>(pick(-9, 9));
        }
    }

private:
    std::mt19937 engine_{7};
};

struct Operands {
    Place x, y, z;
};

/// statements(x, y, z): a prepared eval of three views. reference(before, after, operands): what it writes. accepted: how
/// many of 480 layouts are not refused, or more.
template <class Statements, class Reference>
void check_overlaps(const char* name, Statements statements, Reference reference, int accepted = 60) {
    INFO(name);
    Places places;
    int done = 0;
    for (int round = 0; round < 60; ++round) {
        const index_t rows = places.pick(1, 9);
        const index_t columns = places.pick(1, 20);
        const auto draw = [&] {
            const Place x = places.draw(rows, columns, {}, true);
            return Operands{x, places.draw(rows, columns, x, false), places.draw(rows, columns, x, true)};
        };
        Numbers memory(memory_size);
        places.fill(memory);
        std::optional<decltype(statements(memory, draw()))> step;
        std::optional<Operands> now;
        for (int turn = 0; turn < 8; ++turn) {
            const Operands next = draw();
            const Numbers before = memory;
            try {
                if (!step) {
                    step.emplace(statements(memory, next));
                } else {
                    step->rebind(view_at<"x">(memory, next.x), view_at<"y">(memory, next.y),
                                 view_at<"z">(memory, next.z));
                }
                now = next;
                ++done;
            } catch (const argument_error&) {
            }
            REQUIRE(memory == before);
            if (step) {  // what was refused has changed nothing
                Numbers after = memory;
                reference(before, after, *now);
                (*step)();
                REQUIRE(memory == after);
            }
            places.fill(memory);
        }
    }
    CHECK(done > accepted);
}

template <class Target>
void check_all_overlaps() {
    const auto executor = Target{}.executor;
    const auto prepared = [&executor](auto make) {
        return [&executor, make](Numbers& memory, const Operands& o) {
            return make(executor, view_at<"x">(memory, o.x), view_at<"y">(memory, o.y), view_at<"z">(memory, o.z));
        };
    };
    check_overlaps("a map", prepared([](auto on, auto x, auto y, auto z) { return prepare(on, y = x * 2 - z); }),
                   [](const Numbers& in, Numbers& out, const Operands& o) {
                       o.y.each(
                           [&](index_t i, index_t j) { out[o.y.at(i, j)] = in[o.x.at(i, j)] * 2 - in[o.z.at(i, j)]; });
                   });
    check_overlaps("rows, and z in place", prepared([](auto on, auto x, auto y, auto z) {
                       return prepare(on, y = x - max(x, axes<1>, keepdims), z = z + x);
                   }),
                   [](const Numbers& in, Numbers& out, const Operands& o) {
                       o.y.each([&](index_t i, index_t j) {
                           double largest = in[o.x.at(i, 0)];
                           for (index_t k = 1; k < o.x.columns; ++k) {
                               largest = std::max(largest, in[o.x.at(i, k)]);
                           }
                           out[o.y.at(i, j)] = in[o.x.at(i, j)] - largest;
                           out[o.z.at(i, j)] = in[o.z.at(i, j)] + in[o.x.at(i, j)];
                       });
                   });
    check_overlaps("a scan beside a map",
                   prepared([](auto on, auto x, auto y, auto z) { return prepare(on, y = cumsum(x, axes<1>) * z); }),
                   [](const Numbers& in, Numbers& out, const Operands& o) {
                       for (index_t i = 0; i < o.y.rows; ++i) {
                           double sum = 0;
                           for (index_t j = 0; j < o.y.columns; ++j) {
                               sum += in[o.x.at(i, j)];
                               out[o.y.at(i, j)] = sum * in[o.z.at(i, j)];
                           }
                       }
                   });
    check_overlaps(
        "fills beside a map", prepared([](auto on, auto x, auto y, auto z) { return prepare(on, z = 3, y = x * 2); }),
        [](const Numbers& in, Numbers& out, const Operands& o) {
            o.y.each([&](index_t i, index_t j) {
                out[o.z.at(i, j)] = 3;
                out[o.y.at(i, j)] = in[o.x.at(i, j)] * 2;
            });
        },
        30);
    check_overlaps("steps", prepared([](auto on, auto x, auto y, auto z) {
                       return prepare(on, y = x - sum(x, axes<1>, keepdims) - sum(x, axes<0>) + z);
                   }),
                   [](const Numbers& in, Numbers& out, const Operands& o) {
                       o.y.each([&](index_t i, index_t j) {
                           double value = in[o.x.at(i, j)] + in[o.z.at(i, j)];
                           for (index_t k = 0; k < o.x.columns; ++k) {
                               value -= in[o.x.at(i, k)];
                           }
                           for (index_t k = 0; k < o.x.rows; ++k) {
                               value -= in[o.x.at(k, j)];
                           }
                           out[o.y.at(i, j)] = value;
                       });
                   });
}

}  // namespace

TEST_CASE("operands that lie anyhow in one array, on the host") {
    check_all_overlaps<HostTarget>();
}
TEST_CASE("operands that lie anyhow in one array, on the emulated device") {
    check_all_overlaps<EmulatedTarget>();
}

TEST_CASE("steps write columns of one matrix") {
    const index_t n = 6;
    Numbers data(36), out(24, -1);
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = std::sin(static_cast<double>(i));
    }
    const auto x = view<"x">(data.data(), n, n);
    const auto y = view<"y">(out.data(), n, 4);
    eval(host, column(y, 0) = sum(x, axes<0>), column(y, 2) = max(x, axes<1>) / sum(x));
    double total = 0;
    for (const double v : data) {
        total += v;
    }
    for (index_t i = 0; i < n; ++i) {
        double sum = 0, most = x(i, 0);
        for (index_t k = 0; k < n; ++k) {
            sum += x(k, i);
            most = std::max(most, x(i, k));
        }
        CHECK(y(i, 0) == Catch::Approx(sum).margin(1e-12));
        CHECK(y(i, 2) == Catch::Approx(most / total));
        CHECK((y(i, 1) == -1 && y(i, 3) == -1));
    }
    CHECK_THROWS_AS(eval(host, column(y, 0) = sum(x, axes<0>), slice<0>(flip(column(y, 0)), 0, n) = max(x, axes<1>)),
                    argument_error);
    CHECK_THROWS_AS(eval(host, column(y, 1) = sum(x, axes<0>), column(y, 1) = max(x, axes<1>) / sum(x)),
                    argument_error);
}

TEST_CASE("columns of one matrix are filled beside each other") {
    Numbers matrix(80, 1), line(8);
    const auto n = view<"n">(matrix, 8, 10);
    const auto u = view<"u">(line);
    eval(host, column(n, 0) = 0, column(n, 1) = 5);
    eval(host, column(n, 2) = 7, u = column(n, 1));
    eval(host, slice<1>(n, 3, {}, 2) = 0, slice<1>(n, 4, {}, 2) *= 2);
    eval(host, slice<0>(n, 1, {}, 2) = 9);
    for (index_t i = 0; i < 8; ++i) {
        for (index_t j = 0; j < 10; ++j) {
            const double of_row = j == 0 ? 0 : j == 1 ? 5 : j == 2 ? 7 : j % 2 == 1 ? 0 : 2;
            CHECK(matrix[static_cast<std::size_t>(i * 10 + j)] == (i % 2 == 1 ? 9 : of_row));
        }
        CHECK(line[static_cast<std::size_t>(i)] == 5);
    }
    const Numbers before = matrix;
    CHECK_THROWS_AS(eval(host, column(n, 1) = 0, column(n, 1) = 1), argument_error);
    CHECK_THROWS_AS(eval(host, slice<1>(n, 0, {}, 2) = 0, u = column(n, 4)), argument_error);
    CHECK_THROWS_AS(eval(host, column(n, 1) = 0, row(n, 3) = 1), argument_error);
    CHECK(matrix == before);
}

// SPDX-License-Identifier: Apache-2.0
//
// What every launch must satisfy, on random shapes up to 2^40 elements that no memory holds: the grid exists, blocks
// fit their kernel, shared memory and workspace suffice, and the shares of blocks and threads cover the work.
#include "plan/paper.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Three bytes.
struct Pixel {
    std::uint8_t r, g, b;
};
struct Luma {
    FUSE_HD float operator()(const Pixel& p) const {
        return 0.3F * static_cast<float>(p.r) + 0.6F * static_cast<float>(p.g) + 0.1F * static_cast<float>(p.b);
    }
};

/// The first property that a launch violates.
template <class Preparation>
std::string violated(Preparation prepared) {
    Launch& s = prepared.launch;
    const Layout& l = prepared.layout;
    if (prepared.empty)
        return "";
    if (s.grid < 1 || s.grid > max_grid)
        return "grid size";
    if (s.dim_x < 1 || s.dim_y < 1 || s.dim_x > 1024 || s.dim_y > 1024 || s.dim_x * s.dim_y > 1024)
        return "block size";
    // Joined rows are folded without shuffles.
    if (s.dim_y > 1 && !s.joined && ((s.dim_x & (s.dim_x - 1)) != 0 || s.dim_x * s.dim_y % 32 != 0))
        return "a block that is not regular";
    if (s.group < 1 || s.grid % s.group != 0)
        return "groups";
    if (s.cluster < 1 || s.cluster > large_device.cluster_blocks || s.grid % s.cluster != 0)
        return "clusters";
    const index_t width = static_cast<index_t>(s.dim_x) * s.vector;
    const std::string name = s.name;
    if (name == "rows resident") {
        if (width * s.vectors < l.walked_size)
            return "a row does not fit its threads";
        if (l.walked_size % s.vector != 0)
            return "a vector across the end of a row";
    } else if (name == "rows staged") {
        if (s.cluster * s.share < l.walked_size / s.vector * s.vector)
            return "shares do not cover the row";
        if (s.share % width != 0)
            return "a share that is not one of whole blocks";
        if (!l.alike && (l.walked_size % s.vector != 0 || !l.vectors))
            return "rows whose vectors do not lie alike";
    } else if (name == "rows shared") {
        if (s.group < 2 || s.group > s.dim_x || s.dim_y != 1)
            return "blocks that share a row";
        if (s.grid != s.group * l.kept_size || s.group * s.share < l.walked_size)
            return "rows that are not shared";
        if (s.grid * s.threads() > large_device.units * large_device.threads_per_unit)
            return "blocks that cannot be resident";
    } else if (name == "rows peeled" || name == "rows peeled in pieces") {
        if (width * s.vectors < l.walked_size / s.vector * s.vector)
            return "the vectors of a row do not fit its threads";
        if (static_cast<int>(s.dim_x) * peeled_ends(s.vector) < 2 * (s.vector - 1))
            return "the ends of a row do not fit its threads";
        if (l.walked_size < shortest_peeled(s.vector))
            return "a row without a vector";
    } else if (name == "columns resident") {
        if (static_cast<index_t>(s.dim_y) * s.vectors < l.walked_size)
            return "a column does not fit its threads";
    } else if (name == "split" || name == "grid") {
        if (s.group * s.share < l.walked_size)
            return "shares do not cover the row";
        if (s.grid != s.group * l.kept_size)
            return "blocks per row";
    } else if (name == "column split" || name == "columns shared") {
        if (s.group * s.cluster * s.share < l.walked_size)
            return "shares do not cover the column";
        if (s.cluster > 1 && s.dim_x > clustered_column_threads)
            return "a tile that a cluster has no memory for";
        if (s.grid != s.group * s.cluster * column_tiles(l, s))
            return "blocks per tile";
    } else if (s.joined) {
        if (width % l.x_size != 0)
            return "a line that is no whole rows";
        if (s.threads() < l.x_size)
            return "columns without a thread";
        if (s.cluster > 1 && s.share == 0)
            return "a cluster without a share";
        if (s.grid % s.group != 0 || (s.group > 1 && s.grid != s.group * l.kept_size))
            return "blocks per line";
    } else if (std::string(s.why) == "one sweep per column") {
        if (s.grid != column_tiles(l, s))
            return "tiles without a block";
    }
    std::string fault;
    prepared.with_kernel([&]<class K>() {
        complete<K>(s);
        fault = disagreement<K>(s);
        if (name == "column split" && s.group > 1 && !folds_runs_program<typename K::program>) {
            detail::share_in_waves(s, 2 * index_t{large_device.units}, false);
            const index_t most = most_waves * 2 * index_t{large_device.units} / column_tiles(l, s);
            if (s.share > longest_share * s.dim_y && s.group < most)
                fault = "a thread that adds more than rounds well";
        }
        if constexpr (requires { K::tile; }) {
            const TileSides tile = TileSides::of(s.share);
            if (s.grid * tile.x * tile.y < l.walked_size)
                fault = "tiles do not cover the domain";
        }
        if (s.joined && s.cluster > 1 && s.own_bytes == 0)
            fault = "a cluster of blocks that bring each other nothing";
        if (s.shared_bytes > (name == "rows staged" ? 227 : 48) * 1024)
            fault = "shared memory";
        if (s.partial_bytes > std::size_t{64} << 20U)
            fault = "workspace";
        if (s.link == Link::last_block && s.grid / s.group > 16000)
            fault = "counters";
    });
    return fault;
}

template <int Rank, class Statement>
void check_many(unsigned seed, Statement&& statement, int bits = 40) {
    std::mt19937_64 engine(seed);
    for (int i = 0; i < 400; ++i) {
        const std::vector<index_t> e = random_extents(engine, Rank, i % (bits + 1));
        const std::string fault = violated(statement(e));
        if (!fault.empty()) {
            std::string text;
            for (const index_t extent : e) {
                text += std::to_string(extent) + " ";
            }
            FAIL_CHECK(fault << " for extents " << text << "(seed " << seed << ")");
        }
    }
}

template <class T>
auto cube(const std::vector<index_t>& e) {
    return view<"x">(paper<const T>(0), e[0], e[1], e[2]);
}
template <class T>
auto cube_out(const std::vector<index_t>& e) {
    return view<"y">(paper<T>(1), e[0], e[1], e[2]);
}

}  // namespace

TEST_CASE("launches of maps and full reductions up to 2^40 elements") {
    check_many<3>(1, [](const auto& e) { return plan_launch(cube_out<float>(e) = cube<float>(e) + 1.0F); });
    check_many<3>(2,
                  [](const auto& e) { return plan_launch(view<"s">(paper<float>(1), shape()) = sum(cube<float>(e))); });
    check_many<3>(3, [](const auto& e) {
        return plan_launch(view<"s">(paper<index_t>(1), shape()) = argmax(cube<std::int8_t>(e)));
    });
    check_many<3>(4, [](const auto& e) {
        const auto x = cube<bfloat16>(e);
        return plan_launch(cube_out<bfloat16>(e) = exp(x - max(x)) / sum(exp(x - max(x))));
    });
}

TEST_CASE("launches of transposed maps up to 2^40 elements") {
    const auto turned = [](const auto& e) {
        return view<"x">(paper<const bfloat16>(0), shape(e[0], e[1], e[2]), strides(e[1], index_t{1}, e[0] * e[1]));
    };
    check_many<3>(12, [&](const auto& e) { return plan_launch(cube_out<bfloat16>(e) = turned(e) + 1.0F); });
    check_many<3>(13, [&](const auto& e) { return plan_launch(cube_out<double>(e) = turned(e) * index<1>()); });
}

TEST_CASE("launches of row reductions up to 2^40 elements") {
    check_many<3>(5, [](const auto& e) {
        return plan_launch(view<"s">(paper<double>(1), e[0], e[1]) = sum(cube<double>(e), axes<2>));
    });
    check_many<3>(6, [](const auto& e) {
        const auto x = cube<float>(e);
        const auto shifted = exp(x - max(x, axes<-1>, keepdims));
        return plan_launch(cube_out<float>(e) = shifted / sum(shifted, axes<-1>, keepdims));
    });
    check_many<3>(7, [](const auto& e) {
        return plan_launch(view<"s">(paper<float>(1), shape()) = mean(logsumexp(cube<float>(e), axes<1, 2>)));
    });
    check_many<3>(8, [](const auto& e) {
        const auto x = cube<std::uint8_t>(e);
        return plan_launch(cube_out<float>(e) = x / cast<float>(sum(x, axes<0, 2>, keepdims)));
    });
}

TEST_CASE("launches of column reductions up to 2^40 elements") {
    check_many<3>(9, [](const auto& e) {
        return plan_launch(view<"s">(paper<float>(1), e[1], e[2]) = sum(cube<float>(e), axes<0>));
    });
    check_many<3>(10, [](const auto& e) {
        const auto x = cube<double>(e);
        const auto shifted = exp(x - max(x, axes<1>, keepdims));
        return plan_launch(cube_out<double>(e) = shifted / sum(shifted, axes<1>, keepdims));
    });
    check_many<3>(12, [](const auto& e) {
        return plan_launch(view<"s">(paper<float>(1), e[0], e[2]) = logsumexp(cube<float>(e), axes<1>));
    });
    check_many<3>(11, [](const auto& e) {
        return plan_launch(view<"a">(paper<index_t>(1), e[0], e[2]) = argmax(cube<std::int8_t>(e), axes<1>),
                           view<"s">(paper<index_t>(2), e[0], e[2]) = sum(cube<std::int8_t>(e), axes<1>));
    });
}

TEST_CASE("launches of rows and columns under policies of other numbers") {
    std::mt19937_64 engine(14);
    const auto one_of = [&](std::initializer_list<int> numbers) {
        return *(numbers.begin() + engine() % numbers.size());
    };
    for (int i = 0; i < 600; ++i) {
        Policy p;
        p.row_block_vectors = one_of({1, 2, 3, 4, 5, 8, 16});
        p.register_items = one_of({0, 4, 12, 24, 32, 64, 128});
        p.short_row_vectors = one_of({1, 2, 3, 8});
        p.short_row_bytes = one_of({0, 256, 1024, 4096});
        p.warp_row_bytes = one_of({0, 1024, 4096, 16384});
        p.row_block_threads = static_cast<unsigned>(one_of({32, 128, 256}));
        p.column_x_threads = static_cast<unsigned>(one_of({8, 32, 128, 256, 512}));
        p.column_threads = static_cast<unsigned>(one_of({64, 256, 512}));
        const auto e = random_extents(engine, 3, i % 31);
        const auto executor = PaperExecutor<Device>(large_device).with(p);
        const auto check = [&](const auto& statement) {
            const std::string fault = violated(executor.prepare(std::tuple(statement)));
            INFO(e[0] << " " << e[1] << " " << e[2] << ", row_block_vectors " << p.row_block_vectors
                      << ", register_items " << p.register_items << ", column_x_threads " << p.column_x_threads);
            CHECK(fault == "");
        };
        check(view<"s">(paper<float>(1), e[0], e[1]) = sum(cube<float>(e), axes<2>));
        check(view<"a">(paper<index_t>(1), e[0], e[1]) = argmax(cube<float>(e), axes<2>));
        check(cube_out<bfloat16>(e) = softmax(cube<bfloat16>(e)));
        check(view<"s">(paper<float>(1), e[1], e[2]) = sum(cube<float>(e), axes<0>));
        check(view<"s">(paper<float>(1), e[0], e[2]) = var(cube<float>(e), axes<1>));
    }
}

TEST_CASE("columns of elements of which no power of two fills a vector have tiles of regular blocks") {
    check_many<2>(15, [](const auto& e) {
        const auto x = map(Luma{}, view<"x">(paper<const Pixel>(0), e[0], e[1]));
        return plan_launch(view<"y">(paper<float>(1), e[0], e[1]) = softmax(x, axes<0>));
    });
    check_many<2>(
        16,
        [](const auto& e) {
            const auto x = map(Luma{}, view<"x">(paper<const Pixel>(0), e[0], e[1]));
            return plan_launch(view<"y">(paper<float>(1), e[1]) = sum(x, axes<0>));
        },
        37);
}

TEST_CASE("columns of more tiles than a launch has blocks are refused") {
    const auto sum_of = [](index_t columns) {
        const auto x = view<"x">(paper<const std::uint8_t>(0), index_t{8}, columns);
        return plan_launch(view<"y">(paper<int>(1), columns) = sum(x, axes<0>));
    };
    CHECK(violated(sum_of(index_t{1} << 38U)) == "");
    CHECK_THROWS_AS(sum_of((index_t{1} << 40U) + 1), shape_error);
}

TEST_CASE("no columns under a policy of wide tiles") {
    Policy p;
    p.column_x_threads = 64;
    const auto executor = PaperExecutor<Device>(large_device).with(p);
    const auto x = view<"x">(paper<const float>(0), 0, 300000);
    CHECK(violated(executor.prepare(std::tuple(view<"y">(paper<float>(1), 300000) = sum(x, axes<0>)))) == "");
}

TEST_CASE("a host executor whose blocks have no elements takes one at a time") {
    Policy p;
    p.host_block_items = 0;
    std::vector<float> x(3000 * 7, 1), sums(7);
    eval(host.with(p), view<"s">(sums) = sum(view<"x">(x, 3000, 7), axes<0>));
    CHECK(sums == std::vector<float>(7, 3000));
}

namespace {

/// The first element of each share of a row that one block of the host executor takes, where shares are contiguous.
/// Vectors start at these and every `vector` elements further on.
template <class... S>
void check_vector_starts(const HostExecutor& executor, const S&... statements) {
    auto prepared = executor.prepare(std::tuple<S...>(statements...));
    Launch& s = prepared.launch;
    prepared.with_kernel([&]<class K>() {
        CHECK(disagreement<K>(s) == "");
        complete<K>(s);
    });
    const Layout& l = prepared.layout;
    const index_t inner = l.columns ? l.x_size : l.walked.extent[l.walked.count - 1];
    const bool shares = s.share > 0;
    INFO(s.name << ", " << s.grid << " blocks, shares of " << s.share << ", rows of " << inner);
    // A layout whose operands are loaded in vectors has whole vectors in every innermost run: shares keep them so.
    if (shares && l.vectors && inner % s.vector == 0) {
        CHECK(s.share % s.vector == 0);
    }
    if (shares && s.group > 1) {
        CHECK(s.share * s.group >= l.walked_size);
    }
}

}  // namespace

TEST_CASE("no vector of a host kernel starts where it may cross the end of a row") {
    std::mt19937_64 engine(12);
    for (int i = 0; i < 300; ++i) {
        const index_t rows = 1 + static_cast<index_t>(engine() % 5000);
        const index_t columns = 64 * (1 + static_cast<index_t>(engine() % 40));
        Policy policy;
        policy.host_block_items = i % 3 == 0 ? Policy{}.host_block_items : 1 + static_cast<index_t>(engine() % 20000);
        const HostExecutor executor = host.with(policy);
        const auto x = view<"x">(paper<const float>(0), shape(rows, columns), strides(2 * columns, 1));
        const auto d = view<"d">(paper<const double>(3), shape(rows, columns), strides(2 * columns, 1));
        const auto y = view<"y">(paper<float>(1), shape(rows, columns), strides(2 * columns, 1));
        const auto s = view<"s">(paper<double>(2), shape());
        check_vector_starts(executor, y = x * 2.0F);
        check_vector_starts(executor, s = sum(x));
        check_vector_starts(executor, s = var(x));
        check_vector_starts(executor, s = var(d));
        check_vector_starts(executor, y = x - mean(x));
        check_vector_starts(executor, y = cumsum(x, axes<1>));
        check_vector_starts(executor, s = mean(sum(x, axes<1>)));
    }
}

TEST_CASE("rows whose bytes wrap round in 32 bits are not taken for rows that fit shared memory") {
    for (const index_t shares : {1, 2, 4, 8, 16}) {
        for (int log = 30; log <= 34; ++log) {
            const index_t columns = shares * (index_t{1} << log) + 8;
            const auto x = view<"x">(paper<const float>(0), 2, columns);
            CHECK(violated(plan_launch(view<"y">(paper<float>(1), 2, columns) = softmax(x))).empty());
            CHECK(std::string(plan_launch(view<"y">(paper<float>(1), 2, columns) = softmax(x)).launch.name) ==
                  "rows shared");
        }
    }
}

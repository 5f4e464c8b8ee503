// SPDX-License-Identifier: Apache-2.0
//
// Which shapes are measured, and why these: sizes of which peers are proud, the row lengths of real models, lengths
// that nobody tunes for (primes, 49, 4095), and shapes that are drawn anew in each run, so that nobody can.
#include "cases.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

using Shapes = std::vector<std::vector<index_t>>;

constexpr index_t power(int exponent) {
    return index_t{1} << exponent;
}

class List {
public:
    std::vector<Listed> cases;

    /// The first `quick` shapes are also in a short run.
    void add(const char* problem, const std::vector<Type>& types, const Shapes& shapes, std::size_t quick = 0,
             const char* origin = "fixed") {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            for (const Type type : types) {
                cases.push_back({{problem, type, shapes[i]}, i < quick, origin});
            }
        }
    }
};

const std::vector<Type> f32 = {Type::f32}, bf16 = {Type::bf16}, f64 = {Type::f64}, both = {Type::f32, Type::bf16};

void add_reductions(List& list) {
    constexpr index_t prime = 268435399;  // the largest below 2^28
    list.add("sum", both, {{power(28)}, {power(24)}, {power(20)}}, 1);
    list.add("sum", both, {{prime}}, 0, "foreign");
    list.add("mse", both, {{power(27)}, {power(23)}}, 1);
    list.add("mse_unaligned", f32, {{power(27) - 3}});
    list.add("statistics", both, {{power(28)}});
    list.add("cosine", f32, {{power(27)}});
    list.add("norm", f32, {{power(28)}, {power(20)}});
    list.add("argmax", f32, {{power(28)}, {power(20)}});
    Shapes ladder;
    for (int exponent = 10; exponent <= 24; exponent += 2) {
        ladder.push_back({power(exponent)});
    }
    list.add("mse_small", f32, ladder, 2);
    list.add("mse_value", f32, {{power(10)}, {power(16)}, {power(20)}, {power(24)}}, 1);
}

void add_maps(List& list) {
    list.add("axpby", both, {{power(27)}});
    list.add("gelu_chain", both, {{power(27)}}, 1);
    list.add("transpose", both, {{8192, 8192}}, 1);
    list.add("transpose", both, {{4095, 11003}}, 0, "foreign");
    list.add("to_nhwc", both, {{256, 64, 56, 56}});
}

/// Elements by where they stand.
void add_positions(List& list) {
    list.add("laplacian", both, {{8192, 8192}}, 1);
    list.add("laplacian", both, {{4095, 4097}}, 0, "foreign");
    list.add("lower_triangle", both, {{8192, 8192}});
    list.add("pair_sums", both, {{16384, 16384}}, 1);
    list.add("scaled_softmax", both, {{32768, 1024}, {8192, 4096}});
}

/// Maps and reductions beside operands of fewer axes.
void add_broadcasts(List& list) {
    list.add("bias_relu", both, {{32768, 4096}, {32768, 1024}}, 1);
    list.add("bias_relu", both, {{32768, 4095}, {4096, 50257}}, 0, "foreign");
    for (const char* problem : {"batch_norm_inference", "scaled_error"}) {
        list.add(problem, both, {{256, 64, 56, 56}}, 1);
        list.add(problem, both, {{128, 512, 14, 14}, {32, 2048, 7, 7}}, 0, "foreign");
    }
}

void add_axes(List& list) {
    const Shapes matrices = {{262144, 256}, {1048576, 64}, {32768, 4096}};
    list.add("row_sum", both, matrices, 1);
    list.add("row_sum", f32, {{8, power(25)}, {2000000, 5}});
    list.add("row_argmax", both, {{32768, 4096}, {32, 129280}});
    list.add("column_sum", both, matrices, 1);
    list.add("column_sum", both,
             {{4096, 32768}, {128, 50264}, {300, 4096}, {1000, 1000}, {65536, 1000}, {679499, 264}});
    list.add("middle_sum", both, {{256, 512, 1024}});
    list.add("statistics_nhwc", both, {{802816, 256}}, 1);
    list.add("statistics_nchw", both, {{256, 64, 56, 56}});
    list.add("softmax_middle", both, {{64, 1024, 49}}, 1, "foreign");
}

void add_rows(List& list) {
    // Time against the row length, of as many bytes each.
    for (const char* problem : {"softmax", "layer_norm", "rms_norm", "cross_entropy"}) {
        Shapes sweep;
        for (int exponent = 6; exponent <= 18; ++exponent) {
            if (exponent != 7 && exponent != 9) {
                sweep.push_back({power(27 - exponent), power(exponent)});
            }
        }
        std::stable_partition(sweep.begin(), sweep.end(), [](const auto& shape) { return shape[1] == 4096; });
        list.add(problem, both, sweep, 1, "length");
        list.add(problem, both, {{32768, 4095}, {4096, 50257}}, 0, "foreign");
        list.add(problem, bf16, {{16384, 5120}, {8192, 11008}, {2048, 28672}}, 0, "foreign");
    }
    list.add("softmax", both, {{1048573, 49}, {8191, 7919}, {4194304, 5}}, 0, "foreign");
    // Few, and longer than what a cluster of blocks holds.
    list.add("softmax", both, {{1, 8388608}, {16, 1048576}}, 0, "foreign");
    list.add("layer_norm", both, {{2, 10000000}}, 0, "foreign");
    list.add("cross_entropy", both, {{4, 2000003}}, 0, "foreign");
    list.add("log_softmax", both, {{32768, 1024}, {2048, 65536}});
    list.add("masked_softmax", both, {{32768, 1024}});
    list.add("softmax_backward", both, {{32768, 4096}}, 1);
    list.add("add_rms_norm", bf16, {{16384, 5120}});
    list.add("layer_norm_backward", both, {{32768, 1024}, {8192, 4096}});
    list.add("rms_norm_backward", both, {{32768, 1024}, {8192, 4096}});
    list.add("kl_rows", both, {{32768, 1024}}, 1);
    list.add("mse_rows", both, {{32768, 1024}});
    list.add("cosine_rows", both, {{32768, 1024}});
}

/// Derivatives, beside a forward and a backward pass of the peers.
void add_gradients(List& list) {
    for (const char* problem : {"softmax_vjp", "log_softmax_vjp", "layer_norm_vjp", "rms_norm_vjp"}) {
        list.add(problem, both, {{32768, 4096}, {32768, 1024}});
    }
    for (const char* problem : {"layer_norm_gradients", "rms_norm_gradients"}) {
        list.add(problem, both, {{8192, 4096}, {32768, 1024}}, 1);
        list.add(problem, both, {{4096, 5120}}, 0, "foreign");
    }
    list.add("cross_entropy_gradient", both, {{32768, 4096}}, 1);
    list.add("cross_entropy_gradient", both, {{8192, 50257}}, 0, "foreign");
    list.add("squared_error_gradient", both, {{power(26)}});
    list.add("kl_gradient", both, {{32768, 1024}});
    list.add("cosine_gradient", both, {{32768, 1024}});
    list.add("batch_norm_gradients", both, {{256, 64, 56, 56}});
    list.add("batch_norm_gradients", both, {{128, 512, 14, 14}, {64, 128, 28, 28}}, 0, "foreign");
}

/// The rest of the catalogue of norms, losses and steps, one or two of each kind.
void add_catalogue(List& list) {
    list.add("batch_norm_training", both, {{256, 64, 56, 56}}, 1);
    list.add("batch_norm_training", both, {{128, 512, 14, 14}, {32, 2048, 7, 7}, {64, 128, 28, 28}}, 0, "foreign");
    list.add("group_norm", both, {{64, 256, 28, 28}});
    list.add("group_norm", both, {{1, 512, 64, 64}, {1, 256, 512, 512}}, 0, "foreign");
    list.add("instance_norm", both, {{256, 64, 56, 56}});
    for (const char* problem : {"standardize", "minmax_scale", "l2_normalize"}) {
        list.add(problem, both, {{32768, 1024}});
    }
    list.add("add_layer_norm", both, {{16384, 5120}}, 0, "foreign");
    list.add("causal_softmax", both, {{64, 1024, 1024}});
    list.add("causal_softmax", both, {{512, 77, 77}, {512, 197, 197}}, 0, "foreign");
    for (const char* problem : {"bce_with_logits", "focal_loss", "smooth_l1_loss", "poisson_nll_loss"}) {
        list.add(problem, both, {{power(26)}});
    }
    list.add("label_smoothing", both, {{32768, 4096}});
    list.add("triplet_margin", both, {{65536, 512}});
    list.add("distillation", both, {{32768, 1024}});
    list.add("clip_grad_norm", both, {{power(26)}});
    list.add("adamw", both, {{power(25)}});
}

void add_scans(List& list) {
    list.add("cumsum", f32, {{power(28)}, {power(24)}, {power(20)}}, 1);
    list.add("cumsum", f64, {{power(27)}});
    list.add("cumsum", bf16, {{power(28)}});
    list.add("cumsum_unaligned", f32, {{power(27) - 1}});
    list.add("discounted_cumsum", f32, {{power(27)}});
    list.add("compact", f32, {{power(27)}});
    list.add("row_cumsum", both, {{32768, 4096}}, 1);
    list.add("column_cumsum", f32, {{4096, 32768}, {32768, 4096}});
    list.add("column_cumsum", f32, {{1000000, 30}, {60000, 784}, {8192, 64}}, 0, "foreign");
}

/// The same numbers everywhere, which the distributions of <random> do not promise.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    double uniform() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }
    /// Between low and high, as many between 10 and 100 as between 100 and 1000.
    index_t logarithmic(double low, double high) { return static_cast<index_t>(low * std::pow(high / low, uniform())); }

private:
    std::uint64_t state_;
};

void draw(List& list, std::uint64_t seed, int count) {
    constexpr const char* of_matrices[] = {"softmax",          "log_softmax",   "layer_norm", "rms_norm",
                                           "softmax_backward", "cross_entropy", "kl_rows",    "row_sum",
                                           "row_cumsum",       "column_sum",    "transpose"};
    constexpr std::size_t kinds = std::size(of_matrices);
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        const std::size_t kind = random.below(kinds + 2);
        const index_t items = random.logarithmic(4e6, 2e8), columns = random.logarithmic(2, 3e5);
        const Type type = random.below(2) == 0 ? Type::f32 : Type::bf16;
        Case c{"", type, {std::max<index_t>(1, items / columns), columns}};
        if (kind < kinds) {
            c.problem = of_matrices[kind];
        } else {
            c.problem = kind == kinds ? "sum" : "mse";
            c.shape = {items};
        }
        list.cases.push_back({c, i < count / 4, "drawn"});
    }
}

}  // namespace

std::vector<Listed> gpu_cases(std::uint64_t seed, int drawn) {
    List list;
    add_rows(list);
    add_reductions(list);
    add_maps(list);
    add_positions(list);
    add_broadcasts(list);
    add_axes(list);
    add_gradients(list);
    add_catalogue(list);
    add_scans(list);
    draw(list, seed, drawn);
    return list.cases;
}

std::vector<Listed> host_cases() {
    List list;
    // 1 MiB, in the cache of one core, and 256 MiB; 16 rows of 1024 and of a million; rows of a few elements.
    const Shapes arrays = {{power(18)}, {power(26)}};
    const Shapes square = {{512, 512}, {16384, 4096}};
    const Shapes few_rows = {{16, 1024}, {16, power(20)}};
    const Shapes short_rows = {{15420, 17}, {4096, 64}};
    list.add("mse", both, {{power(17)}, {power(25)}}, 1);
    list.add("sum", f32, arrays, 1);
    list.add("cumsum", f32, arrays, 1);
    for (const char* problem : {"softmax", "layer_norm", "row_sum"}) {
        list.add(problem, both, square, 1);
        list.add(problem, f32, few_rows, 1);
        list.add(problem, f32, short_rows, 1);
    }
    list.add("cross_entropy", both, square, 1);
    list.add("cross_entropy", f32, {{16, 1024}, {4096, 64}}, 1);
    list.add("row_argmax", f32, square, 1);
    list.add("row_argmax", f32, {{16, 1024}, {15420, 17}}, 1);
    list.add("column_sum", both, square, 1);
    list.add("column_sum", f32, {{15420, 17}, {16384, 16}}, 1);
    list.add("softmax_middle", f32, {{1, 512, 512}, {1, 16384, 4096}}, 1);
    list.add("row_cumsum", f32, square, 1);
    list.add("row_cumsum", f32, short_rows, 1);
    list.add("column_cumsum", f32, square, 1);
    list.add("transpose", both, square, 1);
    list.add("row_sort", f32, {{512, 512}, {4096, 64}, {1024, 4096}}, 1);
    list.add("gelu_chain", f32, {{power(16)}, {power(24)}}, 1);
    for (const char* function : {"exp", "log", "tanh", "erf", "sin", "cos", "pow"}) {
        list.add(function, f32, arrays, 1);
    }
    return list.cases;
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
//
// Normalisations of images (n, channels, height, width), and the gradients of one.
#include "columns.hpp"
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
using Row = std::vector<double>;
const char* const group = "Images";

constexpr index_t groups_of_channels = 32;

Arrays image_and_parameters(const Case& c) {
    const index_t channels = c.shape[1];
    return {{"x", c.type, c.shape, -1, 3}, {"w", c.type, {channels}, 0.5, 1.5}, {"b", c.type, {channels}}};
}
Arrays image(const Case& c) {
    return {{"y", c.type, c.shape}};
}

index_t positions(const Case& c) {
    return c.items() / (c.shape[0] * c.shape[1]);
}

/// Mean and 1 / sqrt(var + 1e-5) of each channel over samples and positions.
struct Channels {
    Row mean, rstd;

    Channels(const Case& c, const Values& x) {
        const index_t channels = c.shape[1], n = positions(c);
        const double count = static_cast<double>(c.shape[0] * n);
        const auto average = [&](const auto& of_element) {
            Row sums = column_sums(c.shape[0], channels, [&](index_t sample, Row& own) {
                for (index_t i = 0; i < channels * n; ++i) {
                    const auto channel = static_cast<std::size_t>(i / n);
                    own[channel] += of_element(x[sample * channels * n + i], channel) / count;
                }
            });
            return sums;
        };
        mean = average([](double v, std::size_t) { return v; });
        rstd = average([&](double v, std::size_t k) { return (v - mean[k]) * (v - mean[k]); });
        for (double& v : rstd) {
            v = 1 / std::sqrt(v + 1e-5);
        }
    }
};

/// (x - mean) * rstd * w + b of a plane.
void normalise(Row& x, double mean, double rstd, double w, double b) {
    for (double& v : x) {
        v = (v - mean) * rstd * w + b;
    }
}

const AddProblem batch_norm(
    {"batch_norm_training", group, "batch norm in training, with the batch's mean and rstd", false,
     image_and_parameters,
     [](const Case& c) {
         return Arrays{{"y", c.type, c.shape}, {"mean", Type::f32, {c.shape[1]}}, {"rstd", Type::f32, {c.shape[1]}}};
     },
     0.5, 2e-5, 8e-3,
     [](const Problem& p, const Case& c, const Data& data) {
         const index_t channels = c.shape[1], n = positions(c);
         const Channels of(c, data.fetch("x"));
         const Values w = data.fetch("w"), b = data.fetch("b");
         const Judge y = judge_rows(p, data, "y", c.shape[0] * channels, n, [&](index_t i) {
             auto x = row_of(data, "x", i, n);
             const auto k = static_cast<std::size_t>(i % channels);
             normalise(x, of.mean[k], of.rstd[k], w[i % channels], b[i % channels]);
             return x;
         });
         return worst_of({y, judge_all(p, data, "mean", of.mean), judge_all(p, data, "rstd", of.rstd)});
     }});

/// Groups of one channel make an instance norm.
Judge of_groups(const Problem& p, const Case& c, const Data& data, index_t groups) {
    const index_t n = positions(c), size = c.shape[1] / groups;
    const Values w = data.fetch("w"), b = data.fetch("b");
    return judge_rows(p, data, "y", c.shape[0] * groups, size * n, [&](index_t i) {
        auto x = row_of(data, "x", i, size * n);
        const Moments m(x);
        for (index_t j = 0; j < size * n; ++j) {
            const index_t channel = i % groups * size + j / n;
            double& v = x[static_cast<std::size_t>(j)];
            v = (v - m.mean) / std::sqrt(m.variance + 1e-5) * w[channel] + b[channel];
        }
        return x;
    });
}

const AddProblem group_norm({"group_norm", group, "group norm of 32 groups", false, image_and_parameters, image, 0.5,
                             2e-5, 8e-3, [](const Problem& p, const Case& c, const Data& data) {
                                 return of_groups(p, c, data, groups_of_channels);
                             }});
const AddProblem instance_norm({"instance_norm", group, "instance norm", false, image_and_parameters, image, 0.5, 2e-5,
                                8e-3, [](const Problem& p, const Case& c, const Data& data) {
                                    return of_groups(p, c, data, c.shape[1]);
                                }});

const AddProblem batch_norm_gradients(
    {"batch_norm_gradients", group, "gradients of batch norm in training for x, scale and shift", false,
     [](const Case& c) {
         Arrays arrays = image_and_parameters(c);
         arrays.push_back({"dy", c.type, c.shape});
         return arrays;
     },
     [](const Case& c) {
         return Arrays{{"dx", c.type, c.shape}, {"dw", c.type, {c.shape[1]}}, {"db", c.type, {c.shape[1]}}};
     },
     1, 2e-4, 1e-2,
     [](const Problem& p, const Case& c, const Data& data) {
         const index_t channels = c.shape[1], n = positions(c);
         const Values x = data.fetch("x"), dy = data.fetch("dy"), w = data.fetch("w");
         const Channels of(c, x);
         const auto xhat = [&](index_t i, std::size_t k) { return (x[i] - of.mean[k]) * of.rstd[k]; };
         const auto sums = [&](const auto& of_element) {
             return column_sums(c.shape[0], channels, [&](index_t sample, Row& own) {
                 for (index_t i = sample * channels * n; i < (sample + 1) * channels * n; ++i) {
                     const auto k = static_cast<std::size_t>(i / n % channels);
                     own[k] += of_element(i, k);
                 }
             });
         };
         const Row dw = sums([&](index_t i, std::size_t k) { return dy[i] * xhat(i, k); });
         const Row db = sums([&](index_t i, std::size_t) { return dy[i]; });
         const double count = static_cast<double>(c.shape[0] * n);
         const Judge rows = judge_rows(p, data, "dx", c.shape[0] * channels, n, [&](index_t plane) {
             const auto k = static_cast<std::size_t>(plane % channels);
             Row dx;
             for (index_t i = plane * n; i < (plane + 1) * n; ++i) {
                 const double g = dy[i] - db[k] / count - xhat(i, k) * dw[k] / count;
                 dx.push_back(g * of.rstd[k] * w[plane % channels]);
             }
             return dx;
         });
         return worst_of({rows, judge_all(p, data, "dw", dw), judge_all(p, data, "db", db)});
     }});

}  // namespace
}  // namespace bench

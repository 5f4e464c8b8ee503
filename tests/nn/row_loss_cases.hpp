// SPDX-License-Identifier: Apache-2.0
//
// Losses that reduce rows first (cosine_embedding_loss, triplet_margin_loss, info_nce, distillation_loss, dice_loss),
// by name through a target, against loops in double.
#pragma once

#include "fuse/nn.hpp"
#include "nn/tolerance.hpp"

namespace fuse::testing {

/// f(row of a, row of b, row number) of each row.
template <class F>
NdArray row_reference(F f, const NdArray& a, const NdArray& b) {
    const index_t columns = a.extent[1];
    NdArray result({a.extent[0]});
    for (index_t r = 0; r < a.extent[0]; ++r) {
        const auto from = static_cast<std::ptrdiff_t>(r * columns);
        const auto to = from + static_cast<std::ptrdiff_t>(columns);
        result({r}) = f(Numbers(a.value.begin() + from, a.value.begin() + to),
                        Numbers(b.value.begin() + from, b.value.begin() + to), r);
    }
    return result;
}
inline double dot_reference(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}
inline double cosine_embedding_reference(const Numbers& a, const Numbers& b, double sign, double margin) {
    const double c = dot_reference(a, b) / std::sqrt((dot_reference(a, a) + 1e-12) * (dot_reference(b, b) + 1e-12));
    return sign == 1 ? 1 - c : sign == -1 ? std::max(0.0, c - margin) : 0;
}
/// |a - b + eps|, the p-norm.
inline double distance_reference(const Numbers& a, const Numbers& b, double p, double eps) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::pow(std::fabs(a[i] - b[i] + eps), p);
    }
    return std::pow(sum, 1 / p);
}
inline double distillation_reference(Numbers student, Numbers teacher, double temperature) {
    for (std::size_t i = 0; i < student.size(); ++i) {
        student[i] /= temperature;
        teacher[i] /= temperature;
    }
    const double of_student = logsumexp_reference(student);
    const double of_teacher = logsumexp_reference(teacher);
    double sum = 0;
    for (std::size_t i = 0; i < student.size(); ++i) {
        const double p = std::exp(teacher[i] - of_teacher);
        sum += p == 0 ? 0 : p * (teacher[i] - of_teacher - student[i] + of_student);
    }
    return sum * temperature * temperature;
}
inline double dice_reference(const Numbers& a, const Numbers& b, double eps) {
    return 1 - (2 * dot_reference(a, b) + eps) / (sum_reference(a) + sum_reference(b) + eps);
}
inline double info_nce_reference(Numbers row, index_t own, double temperature) {
    for (double& s : row) {
        s /= temperature;
    }
    return logsumexp_reference(row) - row[static_cast<std::size_t>(own)];
}

/// One loss per row. Of other types than float those with numbers other than the defaults.
template <class T, class Target>
void check_row_losses(const Target& target, const std::vector<Extent>& shapes) {
    using C = Computed<T>;
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        const NdArray x = held<T>(random_reals(extent, -2, 2, 91));
        const NdArray y = held<T>(random_reals(extent, -2, 2, 92));
        const NdArray z = held<T>(random_reals(extent, -2, 2, 93));
        const NdArray p = held<T>(random_reals(extent, 0, 1, 94));
        const NdArray q = random_integers(extent, 0, 1, 95);
        NdArray sign = random_integers({extent[0]}, 0, 1, 96);
        for (index_t r = 0; r < extent[0]; ++r) {
            sign({r}) = r % 5 == 4 ? 0 : 2 * sign({r}) - 1;
        }
        Tensor<Target, T> x_data(x), y_data(y), z_data(z), p_data(p), q_data(q);
        Tensor<Target, std::int32_t> sign_data(sign);
        const auto a = x_data.template const_view<"x", 2>();
        const auto b = y_data.template const_view<"y", 2>();
        const auto c = z_data.template const_view<"z", 2>();
        const auto u = p_data.template const_view<"p", 2>();
        const auto v = q_data.template const_view<"q", 2>();
        const auto s = sign_data.template const_view<"s", 1>();
        auto out = outputs<Target, C>(6, {extent[0]});
        const auto view = [&]<fixed_name N>(std::size_t i) { return out[i].template view<N, 1>(); };
        const double columns = static_cast<double>(extent[1]);
        constexpr bool defaults = std::is_same_v<T, float>;
        const auto check = [&](std::size_t i, const char* what, const NdArray& expected, double scale = 1) {
            INFO(what);
            check_rounded<T>(out[i].read(), expected, scale);
        };

        const auto of_cosine = view.template operator()<"a">(1) =
            cosine_embedding_loss(a, b, s, 0.125, reduction::none);
        const auto of_nearest = view.template operator()<"b">(3) =
            triplet_margin_loss<1>(a, b, c, 0.5, loss::swap, reduction::none);
        const auto of_triplet = view.template operator()<"c">(4) =
            triplet_margin_loss(a, b, c, 2, 0.25, reduction::none);
        if constexpr (defaults) {
            target.eval(of_cosine, of_nearest, of_triplet,
                        view.template operator()<"d">(0) = cosine_embedding_loss(a, b, s, reduction::none),
                        view.template operator()<"e">(2) = triplet_margin_loss(a, b, c, reduction::none));
        } else {
            target.eval(of_cosine, of_nearest, of_triplet);
        }
        for (const double margin : {0.125, 0.0}) {
            if (margin == 0 && !defaults) {
                continue;
            }
            const auto of_row = [&](const Numbers& e, const Numbers& f, index_t r) {
                return cosine_embedding_reference(e, f, sign({r}), margin);
            };
            check(margin == 0 ? 0 : 1, "cosine_embedding_loss", row_reference(of_row, x, y));
        }
        const auto distances = [&](const NdArray& e, const NdArray& f, double power, double eps) {
            return row_reference(
                [=](const Numbers& g, const Numbers& h, index_t) { return distance_reference(g, h, power, eps); }, e,
                f);
        };
        const auto hinge = [](double margin) {
            return [margin](double near, double far) { return std::max(0.0, margin + near - far); };
        };
        if (defaults) {
            check(2, "triplet_margin_loss", map_reference(hinge(1), distances(x, y, 2, 1e-6), distances(x, z, 2, 1e-6)),
                  std::sqrt(columns) * 4);
        }
        const NdArray nearest = map_reference([](double e, double f) { return std::min(e, f); },
                                              distances(x, z, 1, 1e-6), distances(y, z, 1, 1e-6));
        check(3, "triplet_margin_loss, swap", map_reference(hinge(0.5), distances(x, y, 1, 1e-6), nearest),
              columns * 2);
        check(4, "triplet_margin_loss, eps",
              map_reference(hinge(2), distances(x, y, 2, 0.25), distances(x, z, 2, 0.25)), std::sqrt(columns) * 4);

        const auto of_temperature = view.template operator()<"a">(1) = distillation_loss(a, b, 0.25, reduction::none);
        const auto of_overlap = view.template operator()<"b">(3) = dice_loss(u, v, axes<1>, reduction::none, 1.0);
        if constexpr (defaults) {
            target.eval(of_temperature, of_overlap,
                        view.template operator()<"c">(0) = distillation_loss(a, b, reduction::none),
                        view.template operator()<"d">(2) = dice_loss(u, v, reduction::none));
        } else {
            target.eval(of_temperature, of_overlap);
        }
        for (const double temperature : {0.25, 1.0}) {
            if (temperature == 1 && !defaults) {
                continue;
            }
            check(temperature == 1 ? 0 : 1, "distillation_loss",
                  row_reference([=](const Numbers& e, const Numbers& f,
                                    index_t) { return distillation_reference(e, f, temperature); },
                                x, y),
                  8);
        }
        for (const double eps : {1.0, 1e-5}) {
            if (eps != 1 && !defaults) {
                continue;
            }
            check(eps == 1 ? 3 : 2, "dice_loss",
                  row_reference([=](const Numbers& e, const Numbers& f, index_t) { return dice_reference(e, f, eps); },
                                p, q));
        }
        if (extent[1] < extent[0]) {
            CHECK_THROWS_AS(info_nce(a), shape_error);
            continue;
        }
        const auto of_similarities = view.template operator()<"a">(1) = info_nce(a, 0.0625, reduction::none);
        if constexpr (defaults) {
            target.eval(of_similarities, view.template operator()<"b">(0) = info_nce(a, reduction::none));
        } else {
            target.eval(of_similarities);
        }
        for (const double temperature : {0.0625, 1.0}) {
            if (temperature == 1 && !defaults) {
                continue;
            }
            check(temperature == 1 ? 0 : 1, "info_nce",
                  row_reference([=](const Numbers& e, const Numbers&,
                                    index_t r) { return info_nce_reference(e, r, temperature); },
                                x, x),
                  2 / temperature);
        }
    }
}

/// Their means, which are the defaults; rows of zeros and of -infinity.
template <class Target>
void check_row_loss_edges(const Target& target) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const NdArray x = numbers({2, 3}, {0, 0, 0, -inf, 1, 2});
    const NdArray y = numbers({2, 3}, {0, 0, 0, 0, 1, 1});
    Tensor<Target, float> x_data(x), y_data(y);
    Tensor<Target, float> nothing_data(NdArray({2, 3}, -inf));
    Tensor<Target, float> sign_data(numbers({2}, {1, -1}));
    const auto b = y_data.template const_view<"y", 2>();
    const auto s = sign_data.template const_view<"s", 1>();
    const auto [cosine, cosine_sum, triplet, dice] =
        target.value(cosine_embedding_loss(b, b, s), cosine_embedding_loss(b, b, s, 0.5, reduction::sum),
                     triplet_margin_loss(b, b, b), dice_loss(b, b));
    // Two rows of zeros are not alike; equal rows are, to rounding.
    check_rounded<float>(cosine, 1);
    check_rounded<float>(cosine_sum, 1.5);
    CHECK(triplet == 1);
    check_rounded<float>(dice, 0);
    check_rounded<float>(target.value(dice_loss(b, b, axes<0>)), 0);
    // A class that the teacher excludes does not count; one that the student excludes and the teacher has is infinite.
    const auto losses = [&](auto& student, auto& teacher) {
        const auto u = student.template const_view<"student", 2>();
        return target.value(distillation_loss(u, teacher.template const_view<"teacher", 2>()), info_nce(u, 0.5));
    };
    const auto [excluded, alike] = losses(y_data, x_data);
    const auto [impossible, partners] = losses(x_data, y_data);
    check_rounded<float>(excluded, distillation_reference({0, 1, 1}, {-inf, 1, 2}, 1) / 2, 4);
    check_rounded<float>(alike, (std::log(3.0) + info_nce_reference({0, 1, 1}, 1, 0.5)) / 2, 4);
    CHECK(impossible == inf);
    check_rounded<float>(partners, (std::log(3.0) + info_nce_reference({-inf, 1, 2}, 1, 0.5)) / 2, 4);
    CHECK(std::isnan(std::get<0>(losses(y_data, nothing_data))));
    CHECK(std::isnan(std::get<1>(losses(nothing_data, y_data))));
}

}  // namespace fuse::testing

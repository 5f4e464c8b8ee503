// SPDX-License-Identifier: Apache-2.0
//
// Functions that use an operand several times, of operands without a name: their values against loops in float64, alone
// and where other operands stretch theirs. An index<> counts in the operand in which it stands.
#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

using Row = std::vector<double>;

double sum_of(const Row& v) {
    double s = 0;
    for (const double e : v) {
        s += e;
    }
    return s;
}
double mean_of(const Row& v) {
    return sum_of(v) / static_cast<double>(v.size());
}
Row each(const Row& v, double (*f)(double, double), double with) {
    Row r = v;
    for (double& e : r) {
        e = f(e, with);
    }
    return r;
}
double max_of(const Row& v) {
    return *std::max_element(v.begin(), v.end());
}
double minus(double a, double b) {
    return a - b;
}
double over(double a, double b) {
    return a / b;
}
double exp_minus(double a, double b) {
    return std::exp(a - b);
}
double squared_minus(double a, double b) {
    return (a - b) * (a - b);
}
double variance(const Row& v) {
    return mean_of(each(v, squared_minus, mean_of(v)));
}
double log_sum_exp(const Row& v) {
    return max_of(v) + std::log(sum_of(each(v, exp_minus, max_of(v))));
}
Row softmax_of(const Row& v) {
    const Row e = each(v, exp_minus, max_of(v));
    return each(e, over, sum_of(e));
}
Row layer_norm_of(const Row& v) {
    return each(each(v, minus, mean_of(v)), over, std::sqrt(variance(v) + 1e-5));
}
double size_of(const Row& v) {
    return std::sqrt(sum_of(each(v, squared_minus, 0)));
}

constexpr index_t rows = 3;
constexpr index_t columns = 37;

/// Data of a matrix, and its row i after a map in double.
struct Matrix {
    std::vector<float> data = std::vector<float>(rows * columns);
    explicit Matrix(int seed) {
        for (std::size_t i = 0; i < data.size(); ++i) {
            data[i] = static_cast<float>((static_cast<int>(i) * 37 + seed * 11) % 23 - 11) * 0.25F;
        }
    }
    template <class F>
    Row row(index_t i, F f) const {
        Row r;
        for (index_t j = 0; j < columns; ++j) {
            r.push_back(f(static_cast<double>(data[static_cast<std::size_t>(i * columns + j)]), i, j));
        }
        return r;
    }
};

void close(float got, double expected) {
    CHECK(static_cast<double>(got) == Catch::Approx(expected).epsilon(2e-5).margin(2e-5));
}

struct AddTo {
    float by;
    float operator()(float v) const { return v + by; }
};

}  // namespace

TEMPLATE_TEST_CASE("functions of rows, of operands without a name", "", HostTarget, EmulatedTarget) {
    const TestType target;
    const Matrix m(1);
    const Matrix n(2);
    const auto x = view(m.data.data(), rows, columns);
    const auto u = view(n.data.data(), rows, columns);
    std::vector<std::vector<float>> out(5, std::vector<float>(rows * columns));
    const auto y = [&out](std::size_t i) { return view(out[i].data(), rows, columns); };
    const auto at = [&out](std::size_t i, index_t r, index_t c) {
        return out[i][static_cast<std::size_t>(r * columns + c)];
    };
    const auto half = [&m](index_t i) { return m.row(i, [](double v, index_t, index_t) { return v * 0.5; }); };
    const auto third = [&m](index_t i) { return m.row(i, [](double v, index_t, index_t) { return v * 0.75; }); };
    const auto moved = [&n](index_t i) { return n.row(i, [](double v, index_t, index_t) { return v + 0.5; }); };
    const auto counted = [&m](index_t i) {
        return m.row(i, [](double v, index_t, index_t j) { return v * 0.125 * static_cast<double>(j); });
    };

    // Five in one kernel: functions of equal types, each of a value of its own.
    target.eval(y(0) = softmax(x * 0.5F), y(1) = softmax(x * 0.75F), y(2) = log_softmax(map(AddTo{0.5F}, u)),
                y(3) = layer_norm(x * 0.125F * cast<float>(index<1>())), y(4) = rms_norm(x * 0.5F));
    for (index_t i = 0; i < rows; ++i) {
        const Row soft = softmax_of(half(i));
        const Row other = softmax_of(third(i));
        const Row log_soft = each(moved(i), minus, log_sum_exp(moved(i)));
        const Row normal = layer_norm_of(counted(i));
        const double scale = std::sqrt(mean_of(each(half(i), squared_minus, 0)));
        for (index_t j = 0; j < columns; ++j) {
            const auto c = static_cast<std::size_t>(j);
            close(at(0, i, j), soft[c]);
            close(at(1, i, j), other[c]);
            close(at(2, i, j), log_soft[c]);
            close(at(3, i, j), normal[c]);
            close(at(4, i, j), half(i)[c] / scale);
        }
    }

    std::vector<float> one(rows * 5);
    const auto per_row = [&one](index_t k) { return view(one.data() + k * rows, rows); };
    const int labels[rows] = {3, 36, 99};
    const auto label = view(static_cast<const int*>(labels), rows);
    target.eval(per_row(0) = var(x + u, axes<1>), per_row(1) = logsumexp(x * 0.5F, axes<1>),
                per_row(2) = take(x * cast<float>(index<1>()), label, axes<1>),
                per_row(3) = cosine_similarity(x * 0.5F, map(AddTo{0.5F}, u)),
                per_row(4) = norm<2>(l2_normalize(x + 0.5F) * u, axes<1>));
    for (index_t i = 0; i < rows; ++i) {
        const auto r = static_cast<std::size_t>(i);
        Row both = half(i);
        Row normal = m.row(i, [](double v, index_t, index_t) { return v + 0.5; });
        const double length = size_of(normal);
        double product = 0;
        for (std::size_t c = 0; c < both.size(); ++c) {
            product += both[c] * moved(i)[c];
            both[c] = both[c] * 2 + moved(i)[c] - 0.5;
            normal[c] = normal[c] / length * (moved(i)[c] - 0.5);
        }
        close(one[r], variance(both));
        close(one[r + rows], log_sum_exp(half(i)));
        const auto target_at = static_cast<std::size_t>(labels[i]);
        close(one[r + rows * 2], target_at < columns ? counted(i)[target_at] * 8 : 0);
        close(one[r + rows * 3], product / (size_of(half(i)) * size_of(moved(i))));
        close(one[r + rows * 4], size_of(normal));
    }
}

TEMPLATE_TEST_CASE("losses of operands without a name", "", HostTarget, EmulatedTarget) {
    const TestType target;
    const Matrix m(1);
    const Matrix n(5);
    const auto x = view(m.data.data(), rows, columns) * 0.5F;
    const auto t = map(AddTo{3.5F}, view(n.data.data(), rows, columns)) * 0.125F;
    double huber = 0, squares = 0, bce = 0, divergence = 0;
    for (std::size_t i = 0; i < m.data.size(); ++i) {
        const double a = static_cast<double>(m.data[i]) * 0.5;
        const double b = (static_cast<double>(n.data[i]) + 3.5) * 0.125;
        const double d = std::fabs(a - b);
        huber += d < 0.75 ? d * d / 2 : 0.75 * (d - 0.375);
        squares += d * d;
        bce += (1 - b) * a + std::log1p(std::exp(-a));
        divergence += b > 0 ? b * (std::log(b) - a) : 0;
    }
    const double size = rows * columns;
    close(target.value(huber_loss(x, t, 0.75)), huber / size);
    close(target.value(mse_loss(x, t)), squares / size);
    close(target.value(binary_cross_entropy_with_logits(x, t)), bce / size);
    close(target.value(kl_div(x, t, reduction::batchmean)), divergence / rows);

    const int labels[rows] = {2, 35, 7};
    double entropy = 0;
    for (index_t i = 0; i < rows; ++i) {
        const Row v = m.row(i, [](double e, index_t, index_t) { return e * 0.5; });
        entropy += log_sum_exp(v) - v[static_cast<std::size_t>(labels[i] + 1)];
    }
    close(target.value(cross_entropy(x, view(static_cast<const int*>(labels), rows) + 1)), entropy / rows);
}

TEMPLATE_TEST_CASE("operands that others stretch", "", HostTarget, EmulatedTarget) {
    const TestType target;
    const Matrix m(3);
    const auto x = view(m.data.data(), rows, columns);
    const float few[rows] = {1, -2, 4};
    const float line[columns] = {1, 2, 3, 5, -8};
    const auto column = view(static_cast<const float*>(few), rows, 1);
    const auto row = view(static_cast<const float*>(line), columns);
    std::vector<float> out(rows * columns);
    const auto y = view(out.data(), rows, columns);

    // As if it had been stored in an array of shape (rows, 1): the only coordinate along axis 1 is 0.
    const auto shifted = column * 0.5F + cast<float>(index<1>() + index<0>());
    const Row values = {0.5, 0, 4};
    target.eval(y = x + l2_normalize(shifted));
    for (std::size_t i = 0; i < out.size(); ++i) {
        close(out[i], static_cast<double>(m.data[i]) + (values[i / columns] > 0 ? 1 : 0));
    }
    target.eval(y = x + 10.0F * softmax(shifted, axes<0>));
    for (std::size_t i = 0; i < out.size(); ++i) {
        close(out[i], static_cast<double>(m.data[i]) + 10 * softmax_of(values)[i / columns]);
    }

    // A row beside a matrix: its statistics are its own, and so is the coordinate along its only axis.
    const auto scaled = row * 0.25F + cast<float>(index<0>()) * 0.125F;
    target.eval(y = x - softmax(scaled) * 8.0F);
    Row v;
    for (index_t j = 0; j < columns; ++j) {
        v.push_back(static_cast<double>(line[j]) * 0.25 + static_cast<double>(j) * 0.125);
    }
    const Row soft_row = softmax_of(v);
    for (std::size_t i = 0; i < out.size(); ++i) {
        close(out[i], static_cast<double>(m.data[i]) - soft_row[i % columns] * 8);
    }

    // Of an operand without axes there is no other coordinate than that of the place where it stands.
    target.eval(
        y = let(cast<float>(index<1>()), [&x](auto j) { return x + j * sum(x * 0.0F + j, axes<1>, keepdims); }));
    for (std::size_t i = 0; i < out.size(); ++i) {
        close(out[i],
              static_cast<double>(m.data[i]) + static_cast<double>(i % columns) * (columns * (columns - 1) / 2));
    }
}

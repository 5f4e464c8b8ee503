// SPDX-License-Identifier: Apache-2.0
//
// Eigen, whose expressions have one core: loops over blocks of rows, columns or elements give it more.
#include <Eigen/Core>

#include "host_entry.hpp"

namespace bench {
namespace {

template <class T>
using Matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Vector = Eigen::Array<T, Eigen::Dynamic, 1>;

template <class T>
Eigen::Map<Matrix<T>> matrix(const Setup& s, const char* name, index_t rows, index_t columns) {
    return {s.at<T>(name, 0), rows, columns};
}
template <class T>
Eigen::Map<Matrix<T>> matrix(const Setup& s, const char* name) {
    return matrix<T>(s, name, s.extent(0), s.extent(1));
}
template <class T>
Eigen::Map<Vector<T>> vector(const Setup& s, const char* name, index_t n) {
    return {s.at<T>(name, 0), n};
}

/// f(first, count) for pieces of n that are `piece` long.
template <class F>
void in_pieces(index_t n, index_t piece, index_t items, F f) {
#pragma omp parallel for schedule(static) if (items >= worth_threads)
    for (index_t first = 0; first < n; first += piece) {
        f(first, std::min(piece, n - first));
    }
}
/// The same for the rows of a matrix.
template <class F>
void by_rows(const Setup& s, F f) {
    const index_t rows = s.extent(0), columns = s.extent(1);
    in_pieces(rows, std::max<index_t>(1, 8192 / columns), rows * columns, f);
}

constexpr index_t long_piece = 8192;

template <class F>
double sum_of_pieces(index_t n, F f) {
    double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total) if (n >= worth_threads)
    for (index_t first = 0; first < n; first += long_piece) {
        total += static_cast<double>(f(first, std::min(long_piece, n - first)));
    }
    return total;
}

template <class T>
void mean_squared_error(const Setup& s) {
    const index_t n = s.extent(0);
    const auto a = vector<T>(s, "a", n), b = vector<T>(s, "b", n);
    const double sum = sum_of_pieces(n, [&](index_t first, index_t count) {
        return (a.segment(first, count).template cast<float>() - b.segment(first, count).template cast<float>())
            .square()
            .sum();
    });
    *s.at<float>("out", 0) = static_cast<float>(sum / static_cast<double>(n));
}
const AddEntry mse = enter("mse", "Eigen", mean_squared_error<float>);
const AddEntry mse_bf16 = enter("mse", "Eigen", mean_squared_error<Eigen::bfloat16>, Type::bf16);

const AddEntry sum = enter("sum", "Eigen", [](const Setup& s) {
    const auto x = vector<float>(s, "x", s.extent(0));
    *s.at<float>("out", 0) = static_cast<float>(
        sum_of_pieces(s.extent(0), [&](index_t first, index_t count) { return x.segment(first, count).sum(); }));
});

template <class T>
void sums_of_rows(const Setup& s) {
    const auto x = matrix<T>(s, "x");
    auto y = vector<float>(s, "y", s.extent(0));
    by_rows(s, [&](index_t first, index_t count) {
        y.segment(first, count) = x.middleRows(first, count).template cast<float>().rowwise().sum();
    });
}
const AddEntry row_sum = enter("row_sum", "Eigen", sums_of_rows<float>);
const AddEntry row_sum_bf16 = enter("row_sum", "Eigen", sums_of_rows<Eigen::bfloat16>, Type::bf16);

const AddEntry row_argmax = enter("row_argmax", "Eigen", [](const Setup& s) {
    const auto x = matrix<float>(s, "x");
    auto y = vector<std::int64_t>(s, "y", s.extent(0));
    by_rows(s, [&](index_t first, index_t count) {
        for (index_t i = first; i < first + count; ++i) {
            x.row(i).maxCoeff(&y[i]);
        }
    });
});

template <class T>
void sums_of_columns(const Setup& s) {
    const auto x = matrix<T>(s, "x");
    auto y = vector<float>(s, "y", s.extent(1));
    const index_t rows = s.extent(0), columns = s.extent(1);
    in_pieces(columns, 512, rows * columns, [&](index_t first, index_t count) {
        auto part = y.segment(first, count);
        part.setZero();
        for (index_t i = 0; i < rows; ++i) {
            part += x.row(i).segment(first, count).template cast<float>().transpose();
        }
    });
}
const AddEntry column_sum = enter("column_sum", "Eigen", sums_of_columns<float>);
const AddEntry column_sum_bf16 = enter("column_sum", "Eigen", sums_of_columns<Eigen::bfloat16>, Type::bf16);

template <class T>
void softmax_of_rows(const Setup& s) {
    const auto x = matrix<T>(s, "x");
    auto y = matrix<T>(s, "y");
    by_rows(s, [&](index_t first, index_t count) {
        for (index_t i = first; i < first + count; ++i) {
            if constexpr (sizeof(T) == 4) {
                auto to = y.row(i);
                to = (x.row(i) - x.row(i).maxCoeff()).exp();
                to *= 1 / to.sum();
            } else {
                thread_local Eigen::Array<float, 1, Eigen::Dynamic> row;
                row = x.row(i).template cast<float>();
                row = (row - row.maxCoeff()).exp();
                y.row(i) = (row * (1 / row.sum())).template cast<T>();
            }
        }
    });
}
const AddEntry softmax = enter("softmax", "Eigen", softmax_of_rows<float>);
const AddEntry softmax_bf16 = enter("softmax", "Eigen", softmax_of_rows<Eigen::bfloat16>, Type::bf16);

const AddEntry softmax_middle = enter("softmax_middle", "Eigen", [](const Setup& s) {
    const index_t rows = s.extent(1), columns = s.extent(2);
    if (s.extent(0) != 1) {
        throw std::invalid_argument("columns of one matrix only");
    }
    const auto x = matrix<float>(s, "x", rows, columns);
    auto y = matrix<float>(s, "y", rows, columns);
    in_pieces(columns, 256, rows * columns, [&](index_t first, index_t count) {
        const Eigen::Array<float, 1, Eigen::Dynamic> most = x.middleCols(first, count).colwise().maxCoeff();
        Eigen::Array<float, 1, Eigen::Dynamic> total(count);
        total.setZero();
        for (index_t i = 0; i < rows; ++i) {
            auto to = y.row(i).segment(first, count);
            to = (x.row(i).segment(first, count) - most).exp();
            total += to;
        }
        y.middleCols(first, count).rowwise() *= 1 / total;
    });
});

const AddEntry layer_norm = enter("layer_norm", "Eigen", [](const Setup& s) {
    const auto x = matrix<float>(s, "x");
    auto y = matrix<float>(s, "y");
    const auto n = static_cast<float>(s.extent(1));
    const auto w = vector<float>(s, "w", s.extent(1)), b = vector<float>(s, "b", s.extent(1));
    by_rows(s, [&](index_t first, index_t count) {
        for (index_t i = first; i < first + count; ++i) {
            const float mean = x.row(i).sum() / n;
            const float variance = (x.row(i) - mean).square().sum() / n;
            y.row(i) = (x.row(i) - mean) * (1 / std::sqrt(variance + 1e-5F)) * w.transpose() + b.transpose();
        }
    });
});

const AddEntry cross_entropy = enter("cross_entropy", "Eigen", [](const Setup& s) {
    const auto x = matrix<float>(s, "x");
    const auto target = vector<std::int64_t>(s, "t", s.extent(0));
    const index_t rows = s.extent(0);
    double total = 0, counted = 0;
#pragma omp parallel for schedule(static) reduction(+ : total, counted) if (rows * s.extent(1) >= worth_threads)
    for (index_t i = 0; i < rows; ++i) {
        if (target[i] >= 0) {
            const float most = x.row(i).maxCoeff();
            const float exponentials = (x.row(i) - most).exp().sum();
            total += static_cast<double>(std::log(exponentials) + most - x(i, target[i]));
            counted += 1;
        }
    }
    *s.at<float>("out", 0) = static_cast<float>(total / counted);
});

const AddEntry transpose = enter("transpose", "Eigen", [](const Setup& s) {
    const index_t rows = s.extent(0), columns = s.extent(1);
    const auto x = matrix<float>(s, "x");
    auto y = matrix<float>(s, "y", columns, rows);
    in_pieces(columns, 64, rows * columns, [&](index_t first, index_t count) {
        for (index_t row = 0; row < rows; row += 64) {
            const index_t deep = std::min<index_t>(64, rows - row);
            y.block(first, row, count, deep) = 2.5F * x.block(row, first, deep, count).transpose();
        }
    });
});

const AddEntry column_cumsum = enter("column_cumsum", "Eigen", [](const Setup& s) {
    const auto x = matrix<float>(s, "x");
    auto y = matrix<float>(s, "y");
    const index_t rows = s.extent(0), columns = s.extent(1);
    in_pieces(columns, 512, rows * columns, [&](index_t first, index_t count) {
        y.row(0).segment(first, count) = x.row(0).segment(first, count);
        for (index_t i = 1; i < rows; ++i) {
            y.row(i).segment(first, count) = y.row(i - 1).segment(first, count) + x.row(i).segment(first, count);
        }
    });
});

/// f(to, from) of pieces of a long array.
template <class F>
AddEntry function(const char* name, F f) {
    return enter(name, "Eigen", [f](const Setup& s) {
        const auto x = vector<float>(s, "x", s.extent(0));
        auto y = vector<float>(s, "y", s.extent(0));
        in_pieces(s.extent(0), long_piece, s.extent(0), [&](index_t first, index_t count) {
            auto to = y.segment(first, count);
            f(to, x.segment(first, count));
        });
    });
}
const AddEntry exponential = function("exp", [](auto& y, const auto& x) { y = x.exp(); });
const AddEntry logarithm = function("log", [](auto& y, const auto& x) { y = x.log(); });
const AddEntry tangent = function("tanh", [](auto& y, const auto& x) { y = x.tanh(); });
const AddEntry sine = function("sin", [](auto& y, const auto& x) { y = x.sin(); });
const AddEntry cosine = function("cos", [](auto& y, const auto& x) { y = x.cos(); });
const AddEntry power = function("pow", [](auto& y, const auto& x) { y = x.pow(2.5F); });

struct Version {
    Version() {
        versions().emplace_back("Eigen", std::to_string(EIGEN_WORLD_VERSION) + '.' +
                                             std::to_string(EIGEN_MAJOR_VERSION) + '.' +
                                             std::to_string(EIGEN_MINOR_VERSION));
    }
} const version;

}  // namespace
}  // namespace bench

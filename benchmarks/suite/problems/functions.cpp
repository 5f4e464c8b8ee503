// SPDX-License-Identifier: Apache-2.0
//
// One function of each element: how fast the functions are that other expressions are made of.
#include <cmath>

#include "../problem.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const group = "Functions";

/// y = f(x) for x in [low, high].
Problem function(const char* name, const char* title, double low, double high, double (*f)(double)) {
    return {name,
            group,
            title,
            false,
            [low, high](const Case& c) {
                return Arrays{{"x", c.type, c.shape, low, high}};
            },
            [](const Case& c) {
                return Arrays{{"y", c.type, c.shape}};
            },
            1e-3,
            1e-6,
            8e-3,
            [f](const Problem& p, const Case& c, const Data& data) {
                const index_t length = std::min<index_t>(4096, c.items());
                return judge_rows(p, data, "y", c.items() / length, length, [&](index_t i) {
                    const Values x = data.fetch("x", i * length, length);
                    std::vector<double> y;
                    for (index_t j = 0; j < length; ++j) {
                        y.push_back(f(x[j]));
                    }
                    return y;
                });
            }};
}

const AddProblem exponential(function("exp", "exp(x)", -20, 20, [](double x) { return std::exp(x); }));
const AddProblem logarithm(function("log", "log(x)", 0.001, 1000, [](double x) { return std::log(x); }));
const AddProblem tangent(function("tanh", "tanh(x)", -5, 5, [](double x) { return std::tanh(x); }));
const AddProblem error(function("erf", "erf(x)", -4, 4, [](double x) { return std::erf(x); }));
const AddProblem sine(function("sin", "sin(x)", -100, 100, [](double x) { return std::sin(x); }));
const AddProblem cosine(function("cos", "cos(x)", -100, 100, [](double x) { return std::cos(x); }));
const AddProblem power(function("pow", "x^2.5", 0.001, 100, [](double x) { return std::pow(x, 2.5); }));

}  // namespace
}  // namespace bench

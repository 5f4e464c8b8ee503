// SPDX-License-Identifier: Apache-2.0
//
// The table of problems, and the comparisons that they share.
#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace bench {

namespace {

constexpr std::size_t large_array = std::size_t{1} << 24;

/// Memory of earlier arrays: touching new pages takes longer than filling old ones. Only the main thread fetches.
std::vector<std::vector<unsigned char>>& kept_memory() {
    static std::vector<std::vector<unsigned char>> kept;
    return kept;
}

}  // namespace

Values::Values(Type type, index_t count) : type_(type), count_(count) {
    const auto needed = static_cast<std::size_t>(count * size_of(type));
    auto& kept = kept_memory();
    const auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& m) { return m.size() >= needed; });
    if (needed >= large_array && found != kept.end()) {
        bytes_ = std::move(*found);
        kept.erase(found);
    } else {
        bytes_.resize(needed);
    }
}

Values::~Values() {
    if (bytes_.size() >= large_array && kept_memory().size() < 3) {
        kept_memory().push_back(std::move(bytes_));
    }
}

double Values::operator[](index_t i) const {
    const auto item = [&]<class T>(T value) {
        std::memcpy(&value, bytes_.data() + i * static_cast<index_t>(sizeof(T)), sizeof(T));
        return value;
    };
    switch (type_) {
    case Type::f32:
        return static_cast<double>(item(0.0F));
    case Type::bf16: {
        const std::uint32_t bits = static_cast<std::uint32_t>(item(std::uint16_t{0})) << 16;
        float value;
        std::memcpy(&value, &bits, sizeof(value));
        return static_cast<double>(value);
    }
    case Type::f64:
        return item(0.0);
    case Type::i64:
        return static_cast<double>(item(std::int64_t{0}));
    default:
        return bytes_[static_cast<std::size_t>(i)];
    }
}

double Problem::error(double got, double wanted) const {
    if (got == wanted) {
        return 0;  // infinities among them
    }
    const double e = std::abs(got - wanted) / (std::abs(wanted) + scale);
    return std::isnan(e) ? std::numeric_limits<double>::infinity() : e;
}

namespace {

double bytes_of(const std::vector<Array>& arrays) {
    double sum = 0;
    for (const Array& a : arrays) {
        sum += a.bytes();
    }
    return sum;
}

}  // namespace

double Problem::bytes(const Case& c) const {
    return bytes_of(inputs(c)) + bytes_of(outputs(c));
}

int Problem::reads(const Case& c) const {
    const double ratio = bytes_of(inputs(c)) / bytes_of(outputs(c));
    return read_only ? 0 : static_cast<int>(std::lround(std::clamp(ratio, 1.0, 3.0)));
}

std::vector<Problem>& problems() {
    static std::vector<Problem> all;
    return all;
}

const Problem& problem_named(const std::string& name) {
    for (const Problem& p : problems()) {
        if (p.name == name) {
            return p;
        }
    }
    throw std::invalid_argument("no problem " + name);
}

std::vector<index_t> sample(index_t rows, index_t length) {
    const index_t count = std::min(rows, std::clamp<index_t>(1000000 / std::max<index_t>(1, length), 3, 40));
    std::vector<index_t> chosen;
    for (index_t i = 0; i + 1 < count; ++i) {
        chosen.push_back(static_cast<index_t>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ULL >> 8) %
                                              static_cast<std::uint64_t>(rows)));
    }
    chosen.push_back(rows - 1);
    return chosen;
}

Judge judge_rows(const Problem& p, const Data& data, const std::string& array, index_t rows, index_t length,
                 const std::function<std::vector<double>(index_t)>& row) {
    const auto chosen = sample(rows, length);
    std::vector<std::vector<double>> wanted;
    for (const index_t i : chosen) {
        wanted.push_back(row(i));
    }
    return [&p, &data, array, length, chosen, wanted] {
        double worst = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const Values got = data.fetch(array, chosen[i] * length, length);
            for (index_t j = 0; j < length; ++j) {
                worst = std::max(worst, p.error(got[j], wanted[i][static_cast<std::size_t>(j)]));
            }
        }
        return worst;
    };
}

Judge judge_all(const Problem& p, const Data& data, const std::string& array, std::vector<double> wanted) {
    return [&p, &data, array, wanted] {
        const Values got = data.fetch(array);
        double worst = 0;
        for (index_t i = 0; i < got.size(); ++i) {
            worst = std::max(worst, p.error(got[i], wanted[static_cast<std::size_t>(i)]));
        }
        return worst;
    };
}

namespace {

/// What each of the cores says of its share.
std::vector<double> of_shares(index_t n, const std::function<double(index_t, index_t)>& f) {
    const index_t shares = std::max<index_t>(1, std::min<index_t>(std::thread::hardware_concurrency(), n / 4096));
    std::vector<double> results(static_cast<std::size_t>(shares));
    std::vector<std::thread> threads;
    for (index_t i = 0; i < shares; ++i) {
        threads.emplace_back(
            [&, i] { results[static_cast<std::size_t>(i)] = f(n * i / shares, n * (i + 1) / shares); });
    }
    for (std::thread& t : threads) {
        t.join();
    }
    return results;
}

}  // namespace

double parallel_sum(index_t n, const std::function<double(index_t, index_t)>& sum_of_range) {
    double sum = 0;
    for (const double share : of_shares(n, sum_of_range)) {
        sum += share;
    }
    return sum;
}

double parallel_max(index_t n, const std::function<double(index_t, index_t)>& max_of_range) {
    const auto shares = of_shares(n, max_of_range);
    return *std::max_element(shares.begin(), shares.end());
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
//
// autograd_values.txt as entries: operands made by its formula, results in PyTorch. autograd_entries.py says what is in
// it.
#pragma once

#include <fstream>
#include <sstream>

#include "support/catch.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// A number in [0, 1): the mixer lowbias32, as in autograd_entries.py.
inline double mixed_number(unsigned seed, std::size_t i) {
    auto h = static_cast<std::uint32_t>(i + seed * 1000003UL);
    h ^= h >> 16U;
    h *= 0x7feb352dU;
    h ^= h >> 15U;
    h *= 0x846ca68bU;
    h ^= h >> 16U;
    return h / 4294967296.0;
}

/// An operand after its letter: extents, kind, bounds or elements.
inline NdArray read_operand(std::istream& line, unsigned seed) {
    Extent extent;
    std::string word;
    while (line >> word && std::isalpha(static_cast<unsigned char>(word[0])) == 0) {
        extent.push_back(std::stol(word));
    }
    const std::string kind = word;
    Numbers given;
    while (line >> word) {
        given.push_back(std::strtod(word.c_str(), nullptr));
    }
    NdArray x(extent);
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        const double u = mixed_number(seed, i);
        x.value[i] = kind == "list"                    ? given.at(i)
                     : kind == "real"                  ? given[0] + (given[1] - given[0]) * u
                     : kind == "sign"                  ? (u < 0.5 ? -1 : 1)
                     : kind == "ignored" && i % 3 == 1 ? -100
                                                       : std::floor(u * given.at(0));
    }
    return x;
}

/// What a function of the catalogue, or its gradient with respect to an operand, is in PyTorch.
struct AutogradEntry {
    std::string group, name;
    double option = 0;
    std::vector<NdArray> operands;
    NdArray dy{{}, 1};
    Numbers value;
    std::vector<Numbers> slopes;  ///< empty of operands that are constants
};

inline std::vector<AutogradEntry> read_autograd_values() {
    std::ifstream file(FUSE_SOURCE_DIR "/tests/nn/autograd_values.txt");
    REQUIRE(file);
    std::vector<AutogradEntry> entries;
    std::string group, text;
    while (std::getline(file, text)) {
        std::istringstream line(text);
        std::string word;
        line >> word;
        const auto stored = [&line] {
            Numbers numbers;
            for (std::string number; line >> number;) {
                numbers.push_back(std::strtod(number.c_str(), nullptr));
            }
            return numbers;
        };
        if (word == "#") {
            line >> group;
        } else if (word == "case") {
            entries.emplace_back();
            entries.back().group = group;
            std::getline(line >> std::ws, entries.back().name);
        } else if (word == "option") {
            line >> entries.back().option;
        } else if (word == "y") {
            entries.back().value = stored();
        } else if (word == "dy") {
            entries.back().dy = read_operand(line, 9);
        } else if (word.size() == 1) {
            entries.back().operands.push_back(read_operand(line, static_cast<unsigned>(word[0] - 'a' + 1)));
            entries.back().slopes.emplace_back();
        } else {
            entries.back().slopes.at(static_cast<std::size_t>(word[1] - 'a')) = stored();
        }
    }
    return entries;
}

/// Of many numbers weighted sums are stored. `tolerance` of the largest number.
inline void check_stored(const NdArray& got, const Numbers& stored, double tolerance) {
    if (got.value.size() <= 12) {
        double scale = 1;
        for (const double v : stored) {
            scale = std::isfinite(v) ? std::max(scale, std::fabs(v)) : scale;
        }
        NdArray expected(got.extent);
        REQUIRE(stored.size() == got.value.size());
        expected.value = stored;
        check_close(got, expected, tolerance, tolerance * scale);
        return;
    }
    for (unsigned k = 0; k < stored.size(); ++k) {
        double sum = 0;
        double scale = 1;
        for (std::size_t i = 0; i < got.value.size(); ++i) {
            sum += (2 * mixed_number(11 + k, i) - 1) * got.value[i];
            scale = std::max(scale, std::fabs(got.value[i]));
        }
        check_close(NdArray({}, sum), NdArray({}, stored[k]), tolerance, 4 * tolerance * scale);
    }
}

}  // namespace fuse::testing

// SPDX-License-Identifier: Apache-2.0
//
// Reads digits.csv and splits it: every fifth row (5, 10, ...) is held out, the others are for training.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace digits {

inline constexpr int pixels = 64;
inline constexpr int classes = 10;

/// Images, row after row with values from 0 to 1, and the digit that each shows.
struct Images {
    std::vector<float> pixel;
    std::vector<std::int32_t> label;
    std::int64_t count() const { return static_cast<std::int64_t>(label.size()); }
};

struct Data {
    Images training;
    Images held_out;
};

inline Data load(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot open " + path);
    }
    Data data;
    std::string line;
    for (int row = 1; std::getline(file, line); ++row) {
        Images& images = row % 5 == 0 ? data.held_out : data.training;
        std::istringstream fields(line);
        std::string field;
        for (int i = 0; i <= pixels; ++i) {
            if (!std::getline(fields, field, ',')) {
                throw std::runtime_error(path + ":" + std::to_string(row) + ": 65 numbers expected");
            }
            if (i < pixels) {
                images.pixel.push_back(std::stof(field) / 16);
            } else {
                images.label.push_back(std::stoi(field));
            }
        }
    }
    return data;
}

}  // namespace digits

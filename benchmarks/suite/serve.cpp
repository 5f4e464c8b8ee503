// SPDX-License-Identifier: Apache-2.0
//
// bench_suite [--samples N]: reads cases, "softmax bf16 32768x1024", one a line, and answers each with a line of JSON.
// The first line says what it runs on. So whoever asks can time other libraries between two cases.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "contest.hpp"
#include "json.hpp"

namespace bench {

std::vector<Entry>& entries() {
    static std::vector<Entry> all;
    return all;
}

std::vector<std::pair<std::string, std::string>>& versions() {
    static std::vector<std::pair<std::string, std::string>> all;
    return all;
}

}  // namespace bench

int main(int argc, char** argv) {
    bench::Options options;
    if (argc == 3 && std::strcmp(argv[1], "--samples") == 0) {
        options.samples = std::max(3, std::atoi(argv[2]));
    }
    std::cout << bench::environment() << std::endl;
    for (std::string key; std::getline(std::cin, key);) {
        std::string answer;
        try {
            answer = bench::measure(bench::case_named(key), options);
        } catch (const std::exception& e) {
            answer = bench::Json().add("key", key).add("failed", e.what()).text();
        }
        std::cout << answer << std::endl;
    }
    return 0;
}

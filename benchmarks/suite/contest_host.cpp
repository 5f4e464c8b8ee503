// SPDX-License-Identifier: Apache-2.0
//
// The contest on the CPU: the same cases in ordinary memory, by the clock. One set of buffers: a small case stays in
// the cache, as it would, and a large one does not fit.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <thread>

#include "contest.hpp"
#include "json.hpp"
#include "random.hpp"

namespace bench {
namespace {

class HostArrays : public Setup {
public:
    HostArrays(const Problem& p, const Case& c) : case_(c) {
        std::uint64_t seed = 1;
        for (const Array& a : p.inputs(c)) {
            Memory& m = allocate(a, false);
            const Filler filler(a, seed++);
            parallel_sum(m.items, [&](index_t first, index_t last) {
                for (index_t i = first; i < last; ++i) {
                    filler.write(m.first, i);
                }
                return 0.0;
            });
        }
        for (const Array& a : p.outputs(c)) {
            allocate(a, true);
        }
    }
    const Case& problem() const override { return case_; }
    void* address(const char* array, int) const override { return find(array).first; }
    using Data::fetch;
    Values fetch(const std::string& array, index_t first, index_t count) const override {
        const Memory& m = find(array.c_str());
        Values values(m.type, count < 0 ? m.items - first : count);
        const index_t size = size_of(m.type);
        std::memcpy(values.data(), m.first + first * size, static_cast<std::size_t>(values.size() * size));
        return values;
    }
    void poison() {
        for (auto& [name, m] : memory_) {
            if (m.output) {
                std::memset(m.first, 0xff, static_cast<std::size_t>(m.items * size_of(m.type)));
            }
        }
    }

private:
    struct Memory {
        Type type;
        index_t items;
        bool output;
        std::vector<unsigned char> bytes;
        unsigned char* first;
    };
    Memory& allocate(const Array& a, bool output) {
        const index_t size = size_of(a.type), items = product(a.shape);
        Memory& m = memory_[a.name];
        m = {a.type, items, output,
             std::vector<unsigned char>(static_cast<std::size_t>((items + a.offset) * size + 64)), nullptr};
        const auto address = reinterpret_cast<std::uintptr_t>(m.bytes.data());
        m.first = m.bytes.data() + (64 - address % 64) % 64 + a.offset * size;
        return m;
    }
    const Memory& find(const char* array) const {
        for (const auto& [name, m] : memory_) {
            if (name == array) {
                return m;
            }
        }
        throw std::logic_error("no array of that name: " + std::string(array));
    }

    Case case_;
    std::map<std::string, Memory> memory_;
};

double microseconds(const std::function<void()>& run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

struct Contestant {
    std::string library;
    std::function<void()> run;
    double error = 0;
    std::string refused = {};
    bool right = true;
    int per_batch = 1;
    std::vector<double> us = {};

    double at(double share) {
        std::sort(us.begin(), us.end());
        return us[static_cast<std::size_t>(share * static_cast<double>(us.size() - 1))];
    }
};

/// What any program has to do: copy as many bytes, or read them.
Contestant bare(std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to, bool read_only) {
    const auto n = static_cast<index_t>(from.size());
    return {"", [&from, &to, n, read_only] {
                const auto share = [&](index_t first, index_t last) {
                    std::uint64_t bits = 0;
                    if (read_only) {
                        for (index_t i = first; i < last; ++i) {
                            bits += from[static_cast<std::size_t>(i)];
                        }
                    } else {
                        std::memcpy(&to[static_cast<std::size_t>(first)], &from[static_cast<std::size_t>(first)],
                                    static_cast<std::size_t>(last - first) * sizeof(bits));
                    }
                    return static_cast<double>(bits & 1);
                };
                to[0] ^= static_cast<std::uint64_t>(n < 200000 ? share(0, n) : parallel_sum(n, share));
            }};
}

void time_all(std::vector<Contestant*>& all, int samples) {
    for (Contestant* c : all) {
        c->run();
        c->per_batch = static_cast<int>(std::clamp(2000 / std::max(0.1, microseconds(c->run)), 1.0, 10000.0));
    }
    for (int s = -1; s < samples; ++s) {
        for (Contestant* c : all) {
            const double us = microseconds([c] {
                for (int i = 0; i < c->per_batch; ++i) {
                    c->run();
                }
            });
            if (s >= 0) {
                c->us.push_back(us / c->per_batch);
            }
        }
    }
}

std::string as_json(Contestant& c) {
    Json json;
    json.add("library", c.library);
    if (!c.refused.empty()) {
        return json.add("refused", c.refused).text();
    }
    json.add("error", c.error);
    if (!c.right) {
        return json.add("wrong", true).text();
    }
    return json.add("us", c.at(0.5)).add("p10", c.at(0.1)).add("p90", c.at(0.9)).add("how", "clock").text();
}

}  // namespace

std::string measure(const Case& c, const Options& options) {
    const Problem& p = problem_named(c.problem);
    HostArrays arrays(p, c);
    const Judge judge = p.reference(p, c, arrays);
    const std::size_t words = std::max<std::size_t>(1, static_cast<std::size_t>(p.bytes(c)) / (p.read_only ? 8 : 16));
    std::vector<std::uint64_t> from(words, 0x0123456789abcdef), to(p.read_only ? 1 : words);
    Contestant roof = bare(from, to, p.read_only);
    std::vector<Contestant> all;
    for (const Entry& e : entries()) {
        if (e.problem != c.problem || e.type != c.type) {
            continue;
        }
        all.push_back({e.library, nullptr});
        Contestant& mine = all.back();
        try {
            arrays.poison();
            mine.run = [launch = e.start(arrays)] { launch(0); };
            mine.run();
            mine.error = judge();
            mine.right = mine.error <= p.tolerance(c.type);
        } catch (const std::exception& problem) {
            mine.refused = problem.what();
        }
    }
    std::vector<Contestant*> right = {&roof};
    for (Contestant& contestant : all) {
        if (contestant.right && contestant.refused.empty()) {
            right.push_back(&contestant);
        }
    }
    time_all(right, options.samples);
    return Json().add("key", c.key()).add("sets", 1).add("bare_us", roof.at(0.5)).list("entries", all, as_json).text();
}

std::string environment() {
    return Json()
        .add("cores", static_cast<int>(std::thread::hardware_concurrency()))
        .add("compiler", __VERSION__)
        .text();
}

}  // namespace bench

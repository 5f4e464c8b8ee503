// SPDX-License-Identifier: Apache-2.0
//
// bench_list [--seed N] [--drawn N]: every case as a line of JSON, with its arrays and the error that is allowed, so
// that peers in other languages need no list of their own.
#include <cstdlib>
#include <cstring>

#include "cases.hpp"
#include "json.hpp"
#include "problem.hpp"

namespace {

using namespace bench;

std::string as_json(const Array& a) {
    constexpr const char* fills[] = {"uniform", "targets", "mask"};
    return Json()
        .add("name", a.name)
        .add("type", name_of(a.type))
        .list("shape", a.shape, [](index_t extent) { return std::to_string(extent); })
        .add("fill", fills[static_cast<int>(a.fill)])
        .add("low", a.low)
        .add("high", a.high)
        .add("offset", static_cast<int>(a.offset))
        .text();
}

void print(const Listed& listed, const char* where) {
    const Case& c = listed.c;
    const Problem& p = problem_named(c.problem);
    constexpr const char* roofs[] = {"read", "copy", "2:1", "3:1"};
    const std::string line = Json()
                                 .add("where", where)
                                 .add("key", c.key())
                                 .add("problem", c.problem)
                                 .add("group", p.group)
                                 .add("title", p.title)
                                 .add("type", name_of(c.type))
                                 .list("shape", c.shape, [](index_t extent) { return std::to_string(extent); })
                                 .raw("bytes", std::to_string(static_cast<index_t>(p.bytes(c))))
                                 .add("roof", roofs[p.reads(c)])
                                 .add("clock", p.wall ? "wall" : "events")
                                 .add("scale", p.scale)
                                 .add("tolerance", p.tolerance(c.type))
                                 .add("quick", listed.quick)
                                 .add("origin", listed.origin)
                                 .list("inputs", p.inputs(c), as_json)
                                 .list("outputs", p.outputs(c), as_json)
                                 .text();
    std::printf("%s\n", line.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t seed = 1;
    int drawn = 20;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--seed") == 0) {
            seed = std::strtoull(argv[i + 1], nullptr, 10);
        } else if (std::strcmp(argv[i], "--drawn") == 0) {
            drawn = std::atoi(argv[i + 1]);
        } else {
            std::fprintf(stderr, "bench_list [--seed N] [--drawn N]\n");
            return 2;
        }
    }
    for (const Listed& listed : gpu_cases(seed, drawn)) {
        print(listed, "gpu");
    }
    for (const Listed& listed : host_cases()) {
        print(listed, "cpu");
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// The contest on the GPU. Entries take turns (A B A B ...), so that clocks and temperature are the same for all.
#include "contest.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "../graph.cuh"
#include "../probes.cuh"
#include "device_arrays.cuh"
#include "json.hpp"

namespace bench {
namespace {

/// Launches that take longer are replayed from a graph alone: a loop of them is not faster.
constexpr double short_launch_us = 60;
/// A timed batch takes about this long.
constexpr double batch_us = 1000;

cudaStream_t work_stream() {
    static const cudaStream_t stream = [] {
        cudaStream_t made = nullptr;
        check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "stream");
        return made;
    }();
    return stream;
}

struct Contestant {
    const Entry* entry;
    Launch launch = {};
    double error = INFINITY;
    std::string refused = {};
    double once = 0;
    int per_batch = 0;
    std::unique_ptr<Graph> graph = {};
    std::vector<float> loop_us = {}, graph_us = {}, flushed_us = {};
    std::size_t kernels = 0;
};

double microseconds(std::chrono::steady_clock::time_point since) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - since).count();
}

int batch_of(double once, int sets) {
    const int wanted = static_cast<int>(std::clamp(batch_us / std::max(once, 1.0), 2.0, 400.0));
    return (wanted + sets - 1) / sets * sets;
}

/// Runs a contestant once on poisoned outputs and compares; false if it may not be timed.
bool is_right(Contestant& c, const Problem& p, DeviceArrays& arrays, const Judge& judge) {
    try {
        arrays.poison();
        check(cudaDeviceSynchronize(), "poison");
        c.launch = c.entry->start(arrays);
        c.launch(0);
        // A kernel that fails takes the process with it: whoever asked starts another.
        check(cudaStreamSynchronize(work_stream()), c.entry->library.c_str());
        c.error = judge();
    } catch (const std::exception& e) {
        c.refused = e.what();
        cudaGetLastError();
        return false;
    }
    return c.error <= p.tolerance(arrays.problem().type);
}

/// How long one launch takes, and the graph of a batch of them.
void warm_up(Contestant& c, int sets) {
    Stopwatch time(work_stream());
    const auto three = [&] {
        for (int i = 0; i < 3; ++i) {
            c.launch(i % sets);
        }
    };
    three();
    c.once = static_cast<double>(time(three)) / 3;
    c.per_batch = batch_of(c.once, sets);
    if (c.entry != nullptr && !c.entry->capturable) {
        return;
    }
    c.kernels = Graph(work_stream(), [&] { c.launch(0); }).nodes();
    c.graph = std::make_unique<Graph>(work_stream(), [&] {
        for (int i = 0; i < c.per_batch; ++i) {
            c.launch(i % sets);
        }
    });
}

void time_by_events(std::vector<Contestant*>& all, int sets, int samples) {
    Stopwatch time(work_stream());
    for (Contestant* c : all) {
        warm_up(*c, sets);
    }
    for (int s = -1; s < samples; ++s) {
        for (Contestant* c : all) {
            const auto share = static_cast<float>(c->per_batch);
            const auto sample = [&](std::vector<float>& us, float of, const auto& run) {
                const float taken = time(run) / of;
                if (s >= 0) {
                    us.push_back(taken);
                }
            };
            if (c->graph) {
                sample(c->graph_us, share, [&] { c->graph->replay(); });
            }
            if (!c->graph || c->once < short_launch_us) {
                sample(c->loop_us, share, [&] {
                    for (int i = 0; i < c->per_batch; ++i) {
                        c->launch(i % sets);
                    }
                });
            }
            overwrite_l2(s, work_stream());
            sample(c->flushed_us, 1, [&] { c->launch(0); });
        }
    }
}

/// Calls that wait for their result.
void time_by_clock(std::vector<Contestant*>& all, int samples) {
    for (int s = -20; s < 20 * samples; ++s) {
        for (Contestant* c : all) {
            const auto begin = std::chrono::steady_clock::now();
            c->launch(0);
            if (s >= 0) {
                c->loop_us.push_back(static_cast<float>(microseconds(begin)));
            }
        }
    }
}

/// The faster of loop and graph.
std::pair<const char*, Stats> best_of(const Contestant& c) {
    const auto of = [](const std::vector<float>& us) { return us.empty() ? Stats{INFINITY} : statistics(us); };
    const Stats loop = of(c.loop_us), graph = of(c.graph_us);
    return graph.median < loop.median ? std::pair("graph", graph) : std::pair("loop", loop);
}

/// The fastest bare kernel that moves as many bytes, rotating; asked for often with the same bytes.
double roof(double bytes, int reads, int sets, int samples) {
    static std::map<std::pair<double, int>, double> known;
    const auto [found, fresh] = known.try_emplace({bytes, reads}, 0.0);
    if (fresh) {
        found->second = bare(bytes, reads, sets, [&](const auto& run, int over) {
            Contestant c{nullptr, [&](int k) { run(k, work_stream()); }};
            std::vector<Contestant*> alone = {&c};
            time_by_events(alone, over, samples / 2 + 2);
            return best_of(c).second.median;
        });
    }
    return found->second;
}

std::string as_json(const Contestant& c, const Problem& p, const Case& of) {
    Json json;
    json.add("library", c.entry->library);
    if (!c.refused.empty()) {
        return json.add("refused", c.refused).text();
    }
    json.add("error", c.error);
    if (c.loop_us.empty() && c.graph_us.empty()) {
        return json.add("wrong", !(c.error <= p.tolerance(of.type))).text();
    }
    const auto [how, best] = best_of(c);
    json.add("us", best.median).add("p10", best.p10).add("p90", best.p90).add("how", p.wall ? "clock" : how);
    if (!c.loop_us.empty() && !c.graph_us.empty()) {
        json.add("loop_us", statistics(c.loop_us).median);
    }
    if (!c.flushed_us.empty()) {
        json.add("flushed_us", statistics(c.flushed_us).median);
    }
    return json.add("kernels", static_cast<int>(c.kernels)).text();
}

}  // namespace

std::string measure(const Case& c, const Options& options) {
    const Problem& p = problem_named(c.problem);
    const double bytes = p.bytes(c);
    const int sets = p.wall ? 1 : sets_for(bytes);
    const double bare_us = p.wall ? NAN : roof(bytes, p.reads(c), sets, options.samples);
    DeviceArrays arrays(p, c, sets, work_stream());
    const Judge judge = p.reference(p, c, arrays);
    std::vector<std::unique_ptr<Contestant>> all;
    std::vector<Contestant*> right;
    for (const Entry& e : entries()) {
        if (e.problem == c.problem && e.type == c.type) {
            all.push_back(std::make_unique<Contestant>(Contestant{&e}));
            if (is_right(*all.back(), p, arrays, judge)) {
                right.push_back(all.back().get());
            }
        }
    }
    p.wall ? time_by_clock(right, options.samples) : time_by_events(right, sets, options.samples);
    check(cudaDeviceSynchronize(), "timing");
    return Json()
        .add("key", c.key())
        .add("sets", sets)
        .add("bare_us", bare_us)
        .list("entries", all, [&](const auto& contestant) { return as_json(*contestant, p, c); })
        .text();
}

std::string environment() {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "no GPU");
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    const Roofs roofs = measure_roofs(std::size_t{4} << 30);  // warms the clocks up, too
    Json json;
    json.add("gpu", device.name).add("multiprocessors", device.multiProcessorCount).add("l2_bytes", device.l2CacheSize);
    json.add("driver", driver)
        .add("cuda_runtime", runtime)
        .add("nvcc", __CUDACC_VER_MAJOR__ + __CUDACC_VER_MINOR__ * 0.1);
    json.add("copy_tb_per_s", roofs.copy / 1e6).add("read_tb_per_s", roofs.read / 1e6);
    for (const auto& [library, version] : versions()) {
        json.add(library.c_str(), version);
    }
    return json.text();
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
//
// The results of a ladder: a table on stdout as they come, and a JSON file laid out like that of table.cu.
#pragma once

#include <cub/version.cuh>

#include "../environment.cuh"
#include "../probes.cuh"
#include "contest.cuh"

namespace bench {

class Report {
public:
    Report(const char* ladder, bool read_only)
        : ladder_(ladder), read_only_(read_only), roofs_(measure_roofs(std::size_t{4} << 30)) {
        std::printf("roofs: copy %.3f TB/s, read %.3f TB/s; CUB %d.%d.%d\n", roofs_.copy / 1e6, roofs_.read / 1e6,
                    CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
        std::printf("%-28s %10s %9s  %-33s %6s %6s  %-33s %6s %6s  %s\n", ladder_, "n", "segment",
                    "flushed us (p10 - p90)", "TB/s", "%", "rotating us (p10 - p90)", "TB/s", "%", "error");
    }

    /// `bytes`: the fewest that the task can move.
    void add(std::size_t n, double bytes, const std::vector<Contender>& contenders) {
        for (const Contender& c : contenders) {
            if (!c.right) {
                continue;
            }
            rows_.push_back({c, n, bytes});
            std::printf(
                "%-28s %10zu %9zu  %9.1f (%9.1f - %9.1f) %6.3f %6.1f  %9.1f (%9.1f - %9.1f) %6.3f %6.1f  %.1e\n",
                c.name.c_str(), n, c.segment, c.flushed.median, c.flushed.p10, c.flushed.p90,
                bytes / c.flushed.median / 1e6, percent(bytes, c.flushed), c.rotating.median, c.rotating.p10,
                c.rotating.p90, bytes / c.rotating.median / 1e6, percent(bytes, c.rotating), c.error);
        }
        std::fflush(stdout);
    }

    void write_json(const char* path) const {
        std::FILE* f = open_results(path);
        std::fprintf(f,
                     "  \"cub\": \"%d.%d.%d\",\n  \"ladder\": \"%s\",\n"
                     "  \"roofs_tb_per_s\": {\"copy\": %.3f, \"read\": %.3f},\n  \"cases\": [\n",
                     CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION, ladder_, roofs_.copy / 1e6,
                     roofs_.read / 1e6);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Row& r = rows_[i];
            std::fprintf(f, "    {\"step\": \"%s\", \"type\": \"f32\", \"shape\": \"%zu\", \"segment\": %zu, ",
                         r.contender.name.c_str(), r.n, r.contender.segment);
            std::fprintf(f, "\"bytes\": %.0f, \"roof\": \"%s\", ", r.bytes, read_only_ ? "read" : "copy");
            write_times(f, "flushed", r.bytes, r.contender.flushed);
            write_times(f, "rotating", r.bytes, r.contender.rotating);
            std::fprintf(f, "\"relative_error\": %.2e}%s\n", r.contender.error, i + 1 < rows_.size() ? "," : "");
        }
        std::fprintf(f, "  ]\n}\n");
        std::fclose(f);
    }

private:
    struct Row {
        Contender contender;
        std::size_t n;
        double bytes;
    };

    double percent(double bytes, const Stats& s) const {
        return 100 * bytes / s.median / (read_only_ ? roofs_.read : roofs_.copy);
    }

    void write_times(std::FILE* f, const char* how, double bytes, const Stats& s) const {
        std::fprintf(f,
                     "\"%s_us\": {\"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}, \"%s_tb_per_s\": %.3f, "
                     "\"percent_%s\": %.1f, ",
                     how, s.median, s.p10, s.p90, how, bytes / s.median / 1e6, how, percent(bytes, s));
    }

    const char* ladder_;
    bool read_only_;
    Roofs roofs_;
    std::vector<Row> rows_;
};

}  // namespace bench

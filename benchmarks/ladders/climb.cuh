// SPDX-License-Identifier: Apache-2.0
//
// How a ladder is climbed: every step is checked on both kinds of data at lengths on both sides of all edges, then
// those that were right everywhere are timed side by side.
#pragma once

#include <cstring>

#include "report.cuh"

namespace bench {

struct Step {
    using Run = std::function<void(const float* in, float* out, std::size_t n)>;

    std::string name;
    std::size_t segment;  ///< items that one block handles by itself; 0: not ours to say
    Run run;
    bool right = true;  ///< at every length so far
};

/// What the steps of a ladder are asked to do.
struct Task {
    const char* name;
    const char* answer;  ///< what a step computes, in the singular
    bool read_only;      ///< the answer is one item, not as many as there are
    /// Of an answer, relative to the sum of absolute values.
    double (*error)(const std::vector<float>& in, const std::vector<float>& out, std::size_t n, std::size_t segment);
    std::vector<std::size_t> checked_lengths;
};

/// [output.json] or check.
struct Arguments {
    Arguments(int argc, char** argv, std::size_t largest_checked)
        : check_only(argc > 1 && std::strcmp(argv[1], "check") == 0), json(argc > 1 && !check_only ? argv[1] : nullptr),
          largest(check_only ? largest_checked : std::size_t{1} << 28) {}

    bool check_only;
    const char* json;
    std::size_t largest;  ///< length of all
};

class Climb {
public:
    Climb(const Task& task, std::size_t largest) : task_(task), in_(largest), out_(task.read_only ? 1 : largest) {}

    /// Checks one length and, with a report, times what was right at all lengths so far.
    bool operator()(std::vector<Step>& steps, std::size_t n, Report* report = nullptr) {
        const double bytes = (task_.read_only ? 1.0 : 2.0) * static_cast<double>(n * sizeof(float));
        const int sets = report != nullptr ? sets_for(bytes) : 1;
        const std::size_t stride = set_stride(n);
        Buffer<float> x(stride * static_cast<std::size_t>(sets));
        Buffer<float> y(task_.read_only ? 1 : x.size());
        std::vector<Contender> contenders;
        for (const Step& step : steps) {
            const std::size_t out_stride = task_.read_only ? 0 : stride;
            contenders.push_back({step.name, step.segment, [&x, &y, stride, out_stride, n, run = step.run](int k) {
                                      const auto set = static_cast<std::size_t>(k);
                                      run(x.get() + stride * set, y.get() + out_stride * set, n);
                                  }});
        }
        compare(contenders, x, y, n);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].right = contenders[i].right = contenders[i].right && steps[i].right;
        }
        if (report != nullptr) {
            fill(Data::uniform, x.get(), x.size());
            time_all(contenders, sets);
            report->add(n, bytes, contenders);
        }
        return std::all_of(steps.begin(), steps.end(), [](const Step& s) { return s.right; });
    }

private:
    /// All steps on both kinds of data.
    void compare(std::vector<Contender>& contenders, const Buffer<float>& x, const Buffer<float>& y, std::size_t n) {
        const std::size_t in_bytes = n * sizeof(float);
        const std::size_t out_bytes = task_.read_only ? sizeof(float) : in_bytes;
        for (const Data kind : {Data::integers, Data::uniform}) {
            fill(kind, x.get(), n);
            check(cudaMemcpy(in_.data(), x.get(), in_bytes, cudaMemcpyDeviceToHost), "download");
            for (Contender& c : contenders) {
                check(cudaMemset(y.get(), 0xff, out_bytes), "clear");
                c.run(0);
                check(cudaGetLastError(), c.name.c_str());
                check(cudaMemcpy(out_.data(), y.get(), out_bytes, cudaMemcpyDeviceToHost), c.name.c_str());
                c.judge(kind, task_.error(in_, out_, n, c.segment == 0 ? n : c.segment), n);
            }
        }
    }

    const Task& task_;
    std::vector<float> in_, out_;
};

/// The program: `steps` are checked and timed, `shapes`, the same steps with other blocks, only checked.
inline int climb(const Task& task, const Arguments& arguments, std::vector<Step> steps, std::vector<Step> shapes = {}) {
    Climb run(task, arguments.largest);
    bool right = true;
    for (const std::size_t n : task.checked_lengths) {
        right = run(shapes, n) && right;
        right = run(steps, n) && right;
    }
    if (!arguments.check_only) {
        Report report(task.name, task.read_only);
        for (const std::size_t n :
             {std::size_t{1} << 20, (std::size_t{1} << 24) - 3, std::size_t{1} << 24, arguments.largest}) {
            right = run(steps, n, &report) && right;
        }
        if (arguments.json != nullptr) {
            report.write_json(arguments.json);
        }
    }
    if (right) {
        std::printf("all %ss are right\n", task.answer);
    } else {
        std::printf("a %s is WRONG\n", task.answer);
    }
    return right ? 0 : 1;
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
//
// A problem: which arrays are read and written, and what they must hold afterwards, computed in float64. The fewest
// bytes that anybody can move follow from the arrays. Whoever solves it registers an Entry (entry.hpp).
#pragma once

#include <functional>
#include <memory>

#include "case.hpp"

namespace bench {

enum class Fill { uniform, targets, mask };

/// An array of one case. Every set of buffers has one.
struct Array {
    std::string name;
    Type type;
    std::vector<index_t> shape;
    double low = -1, high = 1;  ///< of uniform values; targets: the share of ignored ones, the classes; mask: -, share
    Fill fill = Fill::uniform;
    index_t offset = 0;  ///< elements by which it misses the alignment of its buffer
    double moved = 1;    ///< share of it that has to be moved

    double bytes() const { return moved * static_cast<double>(product(shape) * size_of(type)); }
};

/// Elements of an array in host memory, read as double whatever they are.
class Values {
public:
    Values(Type type, index_t count);
    Values(Values&&) = default;
    ~Values();
    void* data() { return bytes_.data(); }
    index_t size() const { return count_; }
    double operator[](index_t i) const;

private:
    Type type_;
    index_t count_;
    std::vector<unsigned char> bytes_;
};

/// The arrays of a case, wherever they lie: what a reference sees of them, which is the first set.
class Data {
public:
    virtual ~Data() = default;
    virtual Values fetch(const std::string& array, index_t first, index_t count) const = 0;
    Values fetch(const std::string& array) const { return fetch(array, 0, -1); }
};

/// Called once for the inputs, it returns what is called after each run: the largest error of the outputs.
using Judge = std::function<double()>;

struct Problem {
    std::string name;
    std::string group;  ///< the class of the report
    std::string title;  ///< one line for the report: what is computed
    bool read_only;     ///< what it writes does not count: compared with a bare read
    std::function<std::vector<Array>(const Case&)> inputs, outputs;
    /// An error is |got - wanted| / (|wanted| + scale).
    double scale;
    double tolerance_f32, tolerance_bf16;
    std::function<Judge(const Problem&, const Case&, const Data&)> reference;
    bool wall = false;  ///< the result goes to the host: timed by the clock, not by events

    double tolerance(Type type) const { return type == Type::bf16 ? tolerance_bf16 : tolerance_f32; }
    double error(double got, double wanted) const;
    double bytes(const Case& c) const;
    /// Bytes read for each that is written, 1 to 3, of the bare kernel that it is compared with; 0: nothing is written.
    int reads(const Case& c) const;
};

std::vector<Problem>& problems();
const Problem& problem_named(const std::string& name);

/// A global of this type adds a problem to the table.
struct AddProblem {
    explicit AddProblem(Problem p) { problems().push_back(std::move(p)); }
};

/// The judge of most problems: a sample of the rows of output `array`, each `length` elements, against row(i).
Judge judge_rows(const Problem& p, const Data& data, const std::string& array, index_t rows, index_t length,
                 const std::function<std::vector<double>(index_t)>& row);
/// The judge of results that are few: all of output `array`.
Judge judge_all(const Problem& p, const Data& data, const std::string& array, std::vector<double> wanted);

/// sum of f(i) over 0 <= i < n, on all cores; largest(n, f) is their maximum.
double parallel_sum(index_t n, const std::function<double(index_t first, index_t last)>& sum_of_range);
double parallel_max(index_t n, const std::function<double(index_t first, index_t last)>& max_of_range);
/// The same of f(i) that is called for each i, each range added by itself.
template <class F>
double sum_of(index_t n, const F& f) {
    return parallel_sum(n, [&f](index_t first, index_t last) {
        double sum = 0;
        for (index_t i = first; i < last; ++i) {
            sum += f(i);
        }
        return sum;
    });
}

/// Indices of some of `rows` rows, the last one among them; fewer where rows are long.
std::vector<index_t> sample(index_t rows, index_t length);

}  // namespace bench

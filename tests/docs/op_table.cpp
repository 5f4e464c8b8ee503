// SPDX-License-Identifier: Apache-2.0
//
// docs/op_table.md has one row per record of the op tables. A row that is missing or out of date is printed
// as it must read.
#include "ops/op_table.hpp"
#include "ops/reduction_table.hpp"

#include <fuse/ops/ops.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace {

std::string number(double v) {
    std::ostringstream text;
    text << v;
    return text.str();
}

std::string range(fuse_test::Domain d) {
    return number(d.lo) + " .. " + number(d.hi);
}

template <class F>
std::string title() {
    std::string text = "| `" + std::string(F::name) + "`";
    if constexpr (requires { F::infix; }) {
        // A bar would end the cell.
        text += F::infix[0] == '|' ? "" : " `" + std::string(F::infix) + "`";
    }
    return text + " | ";
}

template <class T>
std::string accumulator() {
    if constexpr (std::is_same_v<T, float>) {
        return "float";
    } else if constexpr (std::is_same_v<T, double>) {
        return "double";
    } else if constexpr (std::is_same_v<T, bool>) {
        return "bool";
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
        return "int32";
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
        return "int64";
    } else {
        return std::is_class_v<T> ? "two fields" : "flag";
    }
}

/// Collects the rows that the page lacks.
struct Page {
    Page() {
        std::ifstream file(FUSE_SOURCE_DIR "/docs/op_table.md");
        std::ostringstream all;
        all << file.rdbuf();
        text = all.str();
    }
    void expect(const std::string& row) {
        if (text.find(row + "\n") == std::string::npos) {
            missing += row + "\n";
        }
    }
    std::string text;
    std::string missing;
};

}  // namespace

TEST_CASE("the op table page has every op") {
    Page page;
    fuse_test::for_each_unary_record([&]<class F>(fuse_test::UnaryRecord<F> r) {
        page.expect(title<F>() + range(r.x) + " | " + number(r.ulp) + " |");
    });
    fuse_test::for_each_binary_record([&]<class F>(fuse_test::BinaryRecord<F> r) {
        page.expect(title<F>() + range(r.x) + ", " + range(r.y) + " | " + number(r.ulp) + " |");
    });
    fuse_test::for_each_ternary_record([&]<class F>(fuse_test::TernaryRecord<F> r) {
        page.expect(title<F>() + range(r.x) + ", " + range(r.y) + ", " + range(r.z) + " | " + number(r.ulp) + " |");
    });
    fuse_test::for_each_reduction_record([&]<class Op, bool Integers>(fuse_test::ReductionRecord<Op, Integers> r) {
        using OfFloat = fuse::reduction_t<Op, std::conditional_t<Integers, unsigned, float>>;
        using OfInt = fuse::reduction_t<Op, std::int32_t>;
        page.expect("| `" + std::string(OfFloat::name) + "` | " +
                    (Integers ? std::string("-") : accumulator<typename OfFloat::accumulator>()) + " | " +
                    accumulator<typename OfInt::accumulator>() + " | " +
                    (r.empty.empty()            ? "`shape_error`"
                     : r.empty[0] != r.empty[0] ? "NaN"
                                                : number(r.empty[0])) +
                    " |");
    });
    INFO("rows that docs/op_table.md lacks:\n" << page.missing);
    CHECK(page.missing.empty());
}

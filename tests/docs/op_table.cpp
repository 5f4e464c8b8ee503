// SPDX-License-Identifier: Apache-2.0
//
// The tables of docs/op_table.md are those of the records, row for row and nothing else. On a difference both are printed.
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

std::string range(fuse::testing::Domain d) {
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

std::string page() {
    std::ifstream file(FUSE_SOURCE_DIR "/docs/op_table.md");
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
}

/// The table of a section: its first line that begins with a bar, and everything up to an empty line, rows or not.
std::string table_of(const std::string& section) {
    const std::string text = page();
    const std::size_t begin = text.find("\n## " + section + "\n");
    REQUIRE(begin != std::string::npos);
    const std::size_t table = text.find("\n|", begin);
    REQUIRE(table != std::string::npos);
    return text.substr(table + 1, text.find("\n\n", table) - table);
}

}  // namespace

TEST_CASE("the table of functors of one operand") {
    std::string expected = "| op | operand | error |\n|---|---|---|\n";
    fuse::testing::for_each_record(fuse::testing::unary_records(), [&]<class F>(fuse::testing::UnaryRecord<F> r) {
        expected += title<F>() + range(r.x) + " | " + number(r.ulp) + " |\n";
    });
    CHECK(table_of("One operand") == expected);
}

TEST_CASE("the table of functors of two operands") {
    std::string expected = "| op | operands | error |\n|---|---|---|\n";
    fuse::testing::for_each_record(fuse::testing::binary_records(), [&]<class F>(fuse::testing::BinaryRecord<F> r) {
        expected += title<F>() + range(r.x) + ", " + range(r.y) + " | " + number(r.ulp) + " |\n";
    });
    CHECK(table_of("Two operands") == expected);
}

TEST_CASE("the table of functors of three operands") {
    std::string expected = "| op | operands | error |\n|---|---|---|\n";
    fuse::testing::for_each_record(fuse::testing::ternary_records(), [&]<class F>(fuse::testing::TernaryRecord<F> r) {
        expected += title<F>() + range(r.x) + ", " + range(r.y) + ", " + range(r.z) + " | " + number(r.ulp) + " |\n";
    });
    CHECK(table_of("Three operands") == expected);
}

TEST_CASE("the table of reductions") {
    std::string expected = "| op | of float | of int32 | of no elements |\n|---|---|---|---|\n";
    fuse::testing::for_each_record(
        fuse::testing::reduction_records(),
        [&]<class Op, bool Integers>(fuse::testing::ReductionRecord<Op, Integers> r) {
            using OfFloat = fuse::reduction_t<Op, std::conditional_t<Integers, unsigned, float>>;
            using OfInt = fuse::reduction_t<Op, std::int32_t>;
            expected += "| `" + std::string(OfFloat::name) + "` | " +
                        (Integers ? std::string("-") : accumulator<typename OfFloat::accumulator>()) + " | " +
                        accumulator<typename OfInt::accumulator>() + " | " +
                        (r.empty.empty()            ? "`shape_error`"
                         : r.empty[0] != r.empty[0] ? "NaN"
                                                    : number(r.empty[0])) +
                        " |\n";
        });
    CHECK(table_of("Reductions") == expected);
}

TEST_CASE("the page has no other rows") {
    std::istringstream lines(page());
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line);) {
        rows += line.starts_with("|") ? 1 : 0;
    }
    const std::size_t records = std::tuple_size_v<decltype(fuse::testing::unary_records())> +
                                std::tuple_size_v<decltype(fuse::testing::binary_records())> +
                                std::tuple_size_v<decltype(fuse::testing::ternary_records())> +
                                std::tuple_size_v<decltype(fuse::testing::reduction_records())>;
    CHECK(rows == records + 4 * 2);
}

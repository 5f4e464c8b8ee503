// SPDX-License-Identifier: Apache-2.0
//
// docs/op_table.md is op_table.md.in, the text beside this file, with the tables that the records make where it names
// them (@One operand@), and nothing else.
#include "ops/op_table.hpp"
#include "ops/reduction_table.hpp"

#include <fuse/ops/ops.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

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

std::string of_one_operand() {
    std::string table = "| op | operand | error |\n|---|---|---|\n";
    fuse::testing::for_each_record(fuse::testing::unary_records(), [&]<class F>(fuse::testing::UnaryRecord<F> r) {
        table += title<F>() + range(r.x) + " | " + number(r.ulp) + " |\n";
    });
    return table;
}

std::string of_two_operands() {
    std::string table = "| op | operands | error |\n|---|---|---|\n";
    fuse::testing::for_each_record(fuse::testing::binary_records(), [&]<class F>(fuse::testing::BinaryRecord<F> r) {
        table += title<F>() + range(r.x) + ", " + range(r.y) + " | " + number(r.ulp) + " |\n";
    });
    return table;
}

std::string of_three_operands() {
    std::string table = "| op | operands | error |\n|---|---|---|\n";
    fuse::testing::for_each_record(fuse::testing::ternary_records(), [&]<class F>(fuse::testing::TernaryRecord<F> r) {
        table += title<F>() + range(r.x) + ", " + range(r.y) + ", " + range(r.z) + " | " + number(r.ulp) + " |\n";
    });
    return table;
}

std::string of_reductions() {
    std::string table = "| op | of float | of int32 | of no elements |\n|---|---|---|---|\n";
    fuse::testing::for_each_record(
        fuse::testing::reduction_records(),
        [&]<class Op, bool Integers>(fuse::testing::ReductionRecord<Op, Integers> r) {
            using OfFloat = fuse::reduction_op_t<Op, std::conditional_t<Integers, unsigned, float>>;
            using OfInt = fuse::reduction_op_t<Op, std::int32_t>;
            table += "| `" + std::string(OfFloat::name) + "` | " +
                     (Integers ? std::string("-") : accumulator<typename OfFloat::accumulator>()) + " | " +
                     accumulator<typename OfInt::accumulator>() + " | " +
                     (r.empty.empty()            ? "`shape_error`"
                      : r.empty[0] != r.empty[0] ? "NaN"
                                                 : number(r.empty[0])) +
                     " |\n";
        });
    return table;
}

std::vector<std::string> lines_of(std::istream& text) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> lines_of_file(const std::string& path) {
    std::ifstream file(FUSE_SOURCE_DIR "/" + path);
    REQUIRE(file.is_open());
    return lines_of(file);
}

/// The lines that the page must have.
std::vector<std::string> made_page() {
    std::map<std::string, std::string> tables = {{"@One operand@", of_one_operand()},
                                                 {"@Two operands@", of_two_operands()},
                                                 {"@Three operands@", of_three_operands()},
                                                 {"@Reductions@", of_reductions()}};
    std::vector<std::string> page;
    for (const std::string& line : lines_of_file("tests/docs/op_table.md.in")) {
        const auto table = tables.find(line);
        if (table == tables.end()) {
            page.push_back(line);
            continue;
        }
        std::istringstream rows(table->second);
        for (const std::string& row : lines_of(rows)) {
            page.push_back(row);
        }
        tables.erase(table);
    }
    CHECK(tables.empty());  // each stands on the page once
    return page;
}

}  // namespace

TEST_CASE("the page is the text with the tables of the records, line for line") {
    const std::vector<std::string> made = made_page();
    const std::vector<std::string> page = lines_of_file("docs/op_table.md");
    for (std::size_t i = 0; i < std::max(made.size(), page.size()); ++i) {
        INFO("line " << i + 1);
        REQUIRE((i < page.size() ? page[i] : "(the page ends)") ==
                (i < made.size() ? made[i] : "(the page should end)"));
    }
}

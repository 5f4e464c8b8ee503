// SPDX-License-Identifier: Apache-2.0
//
// Sorts of rows.
#include <algorithm>

#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;

const AddProblem row_sort({"row_sort", "Sorts", "each row in ascending order", false,
                           [](const Case& c) {
                               return Arrays{{"x", c.type, c.shape, -4, 4}};
                           },
                           [](const Case& c) {
                               return Arrays{{"y", c.type, c.shape}};
                           },
                           0, 0, 0,
                           [](const Problem& p, const Case& c, const Data& data) {
                               return judge_rows(p, data, "y", c.shape[0], c.shape[1], [&](index_t i) {
                                   auto x = row_of(data, "x", i, c.shape[1]);
                                   std::sort(x.begin(), x.end());
                                   return x;
                               });
                           }});

}  // namespace
}  // namespace bench

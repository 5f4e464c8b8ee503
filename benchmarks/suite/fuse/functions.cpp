// SPDX-License-Identifier: Apache-2.0
//
// One function of each element.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter exponential("exp",
                        [](const Setup& s, int k) { eval(executor(s), array<"y">(s, k) = exp(array<"x">(s, k))); });
const Enter logarithm("log",
                      [](const Setup& s, int k) { eval(executor(s), array<"y">(s, k) = log(array<"x">(s, k))); });
const Enter tangent("tanh",
                    [](const Setup& s, int k) { eval(executor(s), array<"y">(s, k) = tanh(array<"x">(s, k))); });
const Enter error("erf", [](const Setup& s, int k) { eval(executor(s), array<"y">(s, k) = erf(array<"x">(s, k))); });
const Enter sine("sin", [](const Setup& s, int k) { eval(executor(s), array<"y">(s, k) = sin(array<"x">(s, k))); });
const Enter cosine("cos", [](const Setup& s, int k) { eval(executor(s), array<"y">(s, k) = cos(array<"x">(s, k))); });
const Enter power("pow",
                  [](const Setup& s, int k) { eval(executor(s), array<"y">(s, k) = pow(array<"x">(s, k), 2.5F)); });

}  // namespace
}  // namespace bench

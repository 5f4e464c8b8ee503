// SPDX-License-Identifier: Apache-2.0
//
// The gradients that examples/digits descends, against central differences of the loss computed in double.
#include "../../examples/digits/training.hpp"
#include "nn/rows.hpp"

namespace {

using namespace fuse::testing;
using digits::classes;
using digits::pixels;

constexpr std::int64_t rows = 40;

struct Parameters {
    std::vector<double> weights;
    std::vector<double> bias;
};

/// Mean over the rows of log(sum(exp(z))) - z[label], with z = x w + b.
double loss(const digits::Images& images, const Parameters& p) {
    double total = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        double sum = 0;
        double picked = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            double z = p.bias[c];
            for (std::size_t i = 0; i < pixels; ++i) {
                z += static_cast<double>(images.pixel[r * pixels + i]) * p.weights[i * classes + c];
            }
            sum += std::exp(z);
            picked = static_cast<std::size_t>(images.label[r]) == c ? z : picked;
        }
        total += std::log(sum) - picked;
    }
    return total / rows;
}

double difference(const digits::Images& images, Parameters p, std::vector<double> Parameters::*part, std::size_t i) {
    const double h = 1e-5;
    (p.*part)[i] += h;
    const double above = loss(images, p);
    (p.*part)[i] -= 2 * h;
    return (above - loss(images, p)) / (2 * h);
}

void check_gradients(const digits::Images& images, std::vector<float> weights, std::vector<float> bias) {
    std::vector<float> z(rows * classes);
    std::vector<float> d(rows * classes);
    std::vector<float> weights_gradient(pixels * classes);
    std::vector<float> bias_gradient(classes);
    float mean_loss = 0;
    const auto x = fuse::view<"x">(images.pixel.data(), rows, pixels);
    const auto target = fuse::view<"target">(images.label.data(), rows);
    const auto w = fuse::view<"w">(weights.data(), pixels, classes);
    const auto b = fuse::view<"b">(bias.data(), classes);
    const auto logits = fuse::view<"logits">(z.data(), rows, classes);
    const auto slope = fuse::view<"slope">(d.data(), rows, classes);
    const auto model = digits::logits(x, w, b);
    fuse::eval(fuse::host, logits = model);
    const auto loss_of_logits = cross_entropy(logits, target);
    fuse::eval(fuse::host, fuse::view<"loss">(&mean_loss, fuse::shape()) = loss_of_logits,
               slope = gradient(loss_of_logits, logits));
    fuse::eval(fuse::host, fuse::view<"gw">(weights_gradient.data(), pixels, classes) = vjp(model, w, slope));
    fuse::eval(fuse::host, fuse::view<"gb">(bias_gradient.data(), classes) = vjp(model, b, slope));

    const Parameters p{{weights.begin(), weights.end()}, {bias.begin(), bias.end()}};
    CHECK(static_cast<double>(mean_loss) == Catch::Approx(loss(images, p)).epsilon(1e-6));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        CHECK(std::fabs(static_cast<double>(weights_gradient[i]) - difference(images, p, &Parameters::weights, i)) <
              1e-7);
    }
    for (std::size_t i = 0; i < bias.size(); ++i) {
        CHECK(std::fabs(static_cast<double>(bias_gradient[i]) - difference(images, p, &Parameters::bias, i)) < 1e-7);
    }
}

}  // namespace

TEST_CASE("the gradients of the digits model") {
    const digits::Data data = digits::load(FUSE_SOURCE_DIR "/examples/digits/digits.csv");
    REQUIRE(data.training.count() == 1438);
    REQUIRE(data.held_out.count() == 359);
    SECTION("at the start, where all weights are 0") {
        check_gradients(data.training, std::vector<float>(pixels * classes), std::vector<float>(classes));
    }
    SECTION("elsewhere") {
        check_gradients(data.training, random_floats(pixels * classes, 21, -1, 1), random_floats(classes, 22, -1, 1));
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// Reads handwritten digits: softmax regression on 8x8 images, every numeric step a fuse kernel.
//     digits [--host | --gpu] [digits.csv]
// Ends with 1 unless more than 94 % of the held-out rows are read correctly.
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>

#include "training.hpp"

#if defined(__CUDACC__)
#include "../support/device_buffer.hpp"
#endif

namespace {

template <class T>
using HostBuffer = std::vector<T>;

constexpr int epochs = 30;
constexpr int batch_size = 64;
constexpr fuse::SgdOptions options{.lr = 0.1, .momentum = 0.9};

template <template <class> class Buffer, class Executor>
double train(const Executor& executor, const digits::Data& data) {
    digits::Trainer<Executor, Buffer> trainer(executor, data, batch_size);
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        std::printf("epoch %2d  loss %.4f\n", epoch, trainer.train_epoch(options));
    }
    const double accuracy = trainer.accuracy();
    std::printf("accuracy on %lld held-out rows: %.4f\n", static_cast<long long>(data.held_out.count()), accuracy);
    std::printf("kernels per step: %g, one eval each\n",
                static_cast<double>(trainer.step_kernels()) / static_cast<double>(trainer.steps()));

    std::puts("the kernel of the loss and its gradient:");
    trainer.with_main_kernel([&executor]<class... S>(const S&... statements) {
        using Plan = fuse::plan<S...>;
        static_assert(Plan::kernels == 1 && Plan::template passes<"logits"> == 1);
        std::cout << fuse::explain(executor, statements...);
    });
    return accuracy;
}

}  // namespace

int main(int argc, char** argv) try {
    bool on_gpu = false;
    std::string path = FUSE_SOURCE_DIR "/examples/digits/digits.csv";
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--gpu") == 0) {
            on_gpu = true;
        } else if (std::strcmp(argv[i], "--host") != 0) {
            path = argv[i];
        }
    }
    const digits::Data data = digits::load(path);
    if (on_gpu) {
#if defined(__CUDACC__)
        return train<examples::DeviceBuffer>(fuse::cuda, data) > 0.94 ? 0 : 1;
#else
        throw std::runtime_error("this program was built without CUDA: --host is what it can do");
#endif
    }
    return train<HostBuffer>(fuse::host, data) > 0.94 ? 0 : 1;
} catch (const std::exception& e) {
    std::cerr << "digits: " << e.what() << '\n';
    return 1;
}

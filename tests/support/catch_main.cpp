// SPDX-License-Identifier: Apache-2.0
//
// The main() of every test program, compiled once per build. A program that needs a GPU also links gpu_probe.cpp,
// which says why it cannot run here; it then ends with 77, which ctest reports as skipped, never as passed.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <cstdio>

// Absent (null) unless gpu_probe.cpp is linked; null result: nothing stands in the way.
[[gnu::weak]] const char* fuse_test_skip_reason();

int main(int argc, char** argv) {
    if (fuse_test_skip_reason != nullptr) {
        if (const char* reason = fuse_test_skip_reason()) {
            std::printf("skipped: %s\n", reason);
            return 77;
        }
    }
    // 77 must mean skipped and nothing else, and Catch returns the number of failures.
    return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
//
// Whether something ends its process, as a sanitizer does with what it finds: tried in a process of its own, whose
// report is not shown.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace fuse::testing {

template <class Run>
bool dies(const Run& run) {
    const pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        [&run]() noexcept { run(); }();  // an exception must not carry on with the other tests in the child
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        throw std::runtime_error("no process to die");
    }
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace fuse::testing

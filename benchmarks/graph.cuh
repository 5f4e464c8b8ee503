// SPDX-License-Identifier: Apache-2.0
//
// Launches captured as a CUDA graph, so that the host's part of a launch is not what is timed.
#pragma once

#include <stdexcept>
#include <string>

#include "timing.cuh"

namespace bench {

class Graph {
public:
    /// record() launches on the stream. What cannot be captured throws.
    template <class Record>
    Graph(cudaStream_t stream, Record&& record) : stream_(stream) {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
        std::string problem;
        try {
            record();
        } catch (const std::exception& e) {
            problem = e.what();
        }
        const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
        if (ended != cudaSuccess) {
            problem += cudaGetErrorString(ended);
            cudaGetLastError();
        }
        if (!problem.empty()) {
            throw std::runtime_error("not captured: " + problem);
        }
        check(cudaGraphGetNodes(graph, nullptr, &nodes_), "nodes");
        check(cudaGraphInstantiate(&executable_, graph, 0), "instantiate");
        check(cudaGraphUpload(executable_, stream), "upload");
        cudaGraphDestroy(graph);
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() { cudaGraphExecDestroy(executable_); }

    void replay() const { check(cudaGraphLaunch(executable_, stream_), "replay"); }
    std::size_t nodes() const { return nodes_; }

private:
    cudaStream_t stream_;
    cudaGraphExec_t executable_ = nullptr;
    std::size_t nodes_ = 0;
};

}  // namespace bench

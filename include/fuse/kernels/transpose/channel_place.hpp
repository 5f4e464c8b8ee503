// SPDX-License-Identifier: Apache-2.0
//
// Which positions of which plane a thread has of a map between channels that lie innermost and planes of them.
#pragma once

#include "fuse/kernels/body/params.hpp"

FUSE_BEGIN_NAMESPACE

/// The share of a launch: how many vectors of positions a plane has, how many all planes have together, fewer than 2^31, and
/// which of the last two dimensions are the channels.
struct ChannelShare {
    unsigned vectors;
    unsigned all_vectors;
    bool channels_last;

    constexpr index_t pack() const { return vectors | index_t{all_vectors} << 31 | index_t{channels_last} << 62; }
    static FUSE_HD constexpr ChannelShare of(index_t share) {
        constexpr unsigned low = 0x7fffffff;
        return {static_cast<unsigned>(share) & low, static_cast<unsigned>(share >> 31) & low, share >> 62 != 0};
    }
};

#if FUSE_HAS_DEVICE_BODIES

/// V positions at the most. All dimensions but the last two count planes.
template <class P, int V>
class ChannelPlace {
    static constexpr int rank = Params<P>::traits::walked_rank;
    static_assert(rank >= 2);

public:
    /// number: of the vector, among those of all planes.
    FUSE_HD ChannelPlace(const Params<P>& p, unsigned number) {
        const ChannelShare share = ChannelShare::of(p.share);
        channels_last_ = share.channels_last;
        exists_ = number < share.all_vectors;
        unsigned plane = number / share.vectors;
        position_ = static_cast<index_t>(number - plane * share.vectors) * V;
        const auto positions = static_cast<index_t>(p.walked.extent[channels_last_ ? rank - 2 : rank - 1].divisor());
        left_ = positions - position_ < V ? static_cast<int>(positions - position_) : V;
        FUSE_UNROLL
        for (int d = rank - 3; d >= 0; --d) {
            // The divisor of the outermost dimension in use, and of those before it, is larger than any number.
            const auto part = p.walked.narrow[d].divmod(plane);
            plane_[d] = static_cast<index_t>(part.remainder);
            plane = part.quotient;
        }
    }

    /// Whether there is such a vector.
    FUSE_HD bool exists() const { return exists_; }
    /// How many of the V positions there are.
    FUSE_HD int left() const { return left_; }

    template <class O>
    FUSE_HD index_t position_stride(const O& operand) const {
        return operand.walked[channels_last_ ? rank - 2 : rank - 1];
    }
    template <class O>
    FUSE_HD index_t channel_stride(const O& operand) const {
        return operand.walked[channels_last_ ? rank - 1 : rank - 2];
    }
    /// From an operand's first item to that of the first position's first channel.
    template <class O>
    FUSE_HD index_t offset(const O& operand) const {
        index_t offset = position_ * position_stride(operand);
        FUSE_UNROLL
        for (int i = 0; i < rank - 2; ++i) {
            offset += plane_[i] * operand.walked[i];
        }
        return offset;
    }

private:
    index_t position_;
    index_t plane_[rank];
    int left_;
    bool channels_last_;
    bool exists_;
};

#endif

FUSE_END_NAMESPACE

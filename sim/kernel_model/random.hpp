// SPDX-License-Identifier: Apache-2.0
// Random streams of a world: one per purpose, so that a draw added to one does not shift another.
// SplitMix64 with Lemire reduction: equal on every library and compiler.
#pragma once

#include "core/base/types.hpp"

namespace perfsim {

using perfcore::u32;
using perfcore::u64;

class Random {
public:
    Random(u64 seed, u64 stream) : m_state(seed ^ (stream * 0xd134'2543'de82'ef95)) { next(); }
    u64 next()
    {
        m_state += 0x9e37'79b9'7f4a'7c15;
        u64 z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
        z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
        return z ^ (z >> 31);
    }
    /// 0 .. bound-1; bound > 0.
    u64 below(u64 bound)
    {
        return static_cast<u64>((static_cast<unsigned __int128>(next()) * bound) >> 64);
    }
    /// True once in `n`.
    bool one_in(u64 n) { return below(n) == 0; }

private:
    u64 m_state;
};

} // namespace perfsim

// How differing elements are spread. Part of scan_loops.h.

#ifndef RANKUNIT_COMPARE_SPREAD_H
#define RANKUNIT_COMPARE_SPREAD_H

#include "compare/numbers.h"

namespace rankunit::compare {
namespace {

void add(Extremes &extremes, size_t index, double difference, double expected_magnitude) {
    if (difference > extremes.absolute) {
        extremes.absolute = difference;
        extremes.absolute_index = static_cast<int64_t>(index);
    }
    if (expected_magnitude == 0 || isinf(expected_magnitude)) return;
    const double ratio = difference / expected_magnitude;
    if (ratio > extremes.relative) {
        extremes.relative = ratio;
        extremes.relative_index = static_cast<int64_t>(index);
    }
}

// Offers the element that differs after `seen` others.
RANKUNIT_INLINE void offer(Samples &samples, size_t seen, size_t index) {
    if ((seen & (samples.every - 1)) != 0) return;
    if (samples.size == Samples::MOST) {
        for (size_t i = 0; i < Samples::MOST / 2; i++) samples.indices[i] = samples.indices[2 * i];
        samples.size = Samples::MOST / 2;
        samples.every *= 2;
        if ((seen & (samples.every - 1)) != 0) return;
    }
    samples.indices[samples.size++] = static_cast<int32_t>(index);
}

RANKUNIT_INLINE void start_run(Spread &spread, int64_t index) {
    if (spread.runs == 1) {
        spread.run_length = spread.last + 1 - spread.run_start;
        spread.period = index - spread.run_start;
    } else if (spread.runs > 1) {
        spread.periodic &= spread.last + 1 - spread.run_start == spread.run_length;
        spread.periodic &= index - spread.run_start == spread.period;
    }
    spread.run_start = index;
    spread.runs++;
}

// Takes in the elements that differ, in ascending order.
template <typename T>
class Differences {
public:
    using Bits = typename T::Bits;
    using Number = typename T::Number;
    using Numbers = Block<T, BLOCK>;

    Differences(const Arrays &arrays, const Details &details)
        : expected_(static_cast<const Bits *>(arrays.expected)),
          actual_(static_cast<const Bits *>(arrays.actual)),
          indices_(details.indices),
          capacity_(static_cast<int64_t>(details.capacity)) {}

    void add(size_t i, Number expected, Number actual, Measurements &found) const {
        const double size = fabs(static_cast<double>(expected));
        add_index(i, expected, actual, found);
        compare::add(found.spread.worst, i, fabs(static_cast<double>(actual) - expected), size);
    }

    // Adds an element that is not further off than others.
    RANKUNIT_INLINE void add_index(size_t i, Number expected, Number actual, Measurements &found) const {
        Spread &spread = found.spread;
        const int64_t index = static_cast<int64_t>(i);
        extend(index, index, found);
        if (spread.same_actual) spread.same_actual = has_actual_of(static_cast<size_t>(spread.first), i);
        offer(spread.samples, static_cast<size_t>(found.mismatches), i);
        if (found.mismatches < capacity_) indices_[found.mismatches] = static_cast<int32_t>(i);
        spread.flushed += is_flushed(expected, actual) ? 1 : 0;
        found.mismatches++;
    }

    // Adds all elements of a block, but for the largest differences.
    void add_block(size_t from, const Numbers &wanted, const Numbers &got, Measurements &found) const {
        Spread &spread = found.spread;
        extend(static_cast<int64_t>(from), static_cast<int64_t>(from + BLOCK - 1), found);
        if (spread.same_actual) spread.same_actual = have_actual_of(static_cast<size_t>(spread.first), from);
        const size_t seen = static_cast<size_t>(found.mismatches);
        size_t every = spread.samples.every;
        for (size_t n = (seen + every - 1) & ~(every - 1); n < seen + BLOCK; n = (n + every) & ~(every - 1)) {
            offer(spread.samples, n, from + n - seen);
            every = spread.samples.every;
        }
        for (size_t n = seen; n < static_cast<size_t>(capacity_) && n < seen + BLOCK; n++) {
            indices_[n] = static_cast<int32_t>(from + n - seen);
        }
        uint32_t flushed = 0;
        if constexpr (T::SMALLEST_NORMAL > 0) {
            for (size_t i = 0; i < BLOCK; i++) flushed += is_flushed(wanted[i], got[i]) ? 1u : 0u;
        }
        spread.flushed += flushed;
        found.mismatches += BLOCK;
    }

    // Adds those elements of a block that differ, of which none is further off than others.
    void add_some(size_t from, const Numbers &wanted, const Numbers &got, const uint8_t (&differs)[BLOCK],
                  Measurements &found) const {
        uint64_t words[BLOCK / 64] = {};
        for (size_t i = 0; i < BLOCK; i += 8) {
            words[i / 64] |= uint64_t{bits_of_bytes(differs + i)} << (i % 64);
        }
        const Spread &spread = found.spread;
        if (spread.periodic || spread.same_actual || found.mismatches < capacity_) {
            for (size_t word = 0; word < BLOCK / 64; word++) {
                for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
                    const size_t i = 64 * word + static_cast<size_t>(__builtin_ctzll(bits));
                    add_index(from + i, wanted[i], got[i], found);
                }
            }
        } else {
            add_words(from, words, found);
            uint32_t flushed = 0;
            if constexpr (T::SMALLEST_NORMAL > 0) {
                for (size_t i = 0; i < BLOCK; i++) {
                    flushed += is_flushed(wanted[i], got[i]) & (differs[i] != 0) ? 1u : 0u;
                }
            }
            found.spread.flushed += flushed;
        }
    }

private:
    // Adds the elements of set bits where only their number, their runs and some samples are of interest.
    static void add_words(size_t from, const uint64_t (&words)[BLOCK / 64], Measurements &found) {
        Spread &spread = found.spread;
        size_t every = spread.samples.every;
        uint64_t before = spread.last == static_cast<int64_t>(from) - 1 ? 1 : 0;
        for (size_t word = 0; word < BLOCK / 64; word++) {
            const uint64_t bits = words[word];
            if (bits != 0) {
                const int64_t begin = static_cast<int64_t>(from + 64 * word);
                const size_t seen = static_cast<size_t>(found.mismatches);
                const size_t count = static_cast<size_t>(__builtin_popcountll(bits));
                for (size_t n = (seen + every - 1) & ~(every - 1); n < seen + count; n = (n + every) & ~(every - 1)) {
                    uint64_t rest = bits;
                    for (size_t skipped = seen; skipped < n; skipped++) rest &= rest - 1;
                    offer(spread.samples, n, static_cast<size_t>(begin + __builtin_ctzll(rest)));
                    every = spread.samples.every;
                }
                const uint64_t starts = bits & ~(bits << 1 | before);
                spread.runs += __builtin_popcountll(starts);
                if (starts != 0) spread.run_start = begin + 63 - __builtin_clzll(starts);
                spread.last = begin + 63 - __builtin_clzll(bits);
                found.mismatches += static_cast<int64_t>(count);
            }
            before = bits >> 63;
        }
    }

    static RANKUNIT_INLINE void extend(int64_t first, int64_t last, Measurements &found) {
        Spread &spread = found.spread;
        if (found.mismatches == 0) spread.first = first;
        if (found.mismatches == 0 || spread.last != first - 1) start_run(spread, first);
        spread.last = last;
    }

    static RANKUNIT_INLINE bool is_flushed(Number expected, Number actual) {
        const Number size = magnitude(expected);
        return (size > 0) & (size < Number(T::SMALLEST_NORMAL)) & (actual == 0);
    }

    // Numbers that Java's Double.compare takes as equal.
    bool has_actual_of(size_t one, size_t other) const {
        return actual_[one] == actual_[other] || (isnan(T::number(actual_[one])) && isnan(T::number(actual_[other])));
    }

    bool have_actual_of(size_t one, size_t from) const {
        const Bits bits = actual_[one];
        bool same = true;
        for (size_t i = from; i < from + BLOCK; i++) same &= actual_[i] == bits;
        for (size_t i = from; i < from + BLOCK && !same; i++) {
            if (!has_actual_of(one, i)) return false;
        }
        return true;
    }

    const Bits *expected_;
    const Bits *actual_;
    int32_t *indices_;
    int64_t capacity_;
};

}  // namespace
}  // namespace rankunit::compare

#endif

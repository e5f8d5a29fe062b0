// What explains the elements that differ. Part of scan_loops.h.

#ifndef RANKUNIT_COMPARE_EXPLAIN_H
#define RANKUNIT_COMPARE_EXPLAIN_H

#include "compare/numbers.h"

namespace rankunit::compare {
namespace {

template <typename T>
class Explanation {
public:
    using Bits = typename T::Bits;
    using Numbers = Block<T, BLOCK>;

    Explanation(const Arrays &arrays, const Limits &limits)
        : expected_(static_cast<const Bits *>(arrays.expected)),
          actual_(static_cast<const Bits *>(arrays.actual)),
          count_(arrays.count),
          limits_(limits) {}

    Specials specials() const {
        Specials found;
        size_t done = 0;
        for (; done + BLOCK <= count_; done += BLOCK) {
            if (may_be_special(done)) add_specials(done, done + BLOCK, found);
        }
        add_specials(done, count_, found);
        return found;
    }

    bool expects(size_t from, size_t to, double number, double reach) const {
        for (; from < to; from += BLOCK) {
            uint64_t near = 0;
            for (size_t i = from; i < smaller(from + BLOCK, to); i++) {
                const double expected = T::number(expected_[i]);
                near |= (expected == number) | (fabs(expected - number) < reach) ? 1u : 0u;
            }
            if (near != 0) return true;
        }
        return false;
    }

    bool explains(const Line &line) const {
        size_t done = 0;
        for (; done + BLOCK <= count_; done += BLOCK) {
            if (may_be_unexplained(done, line) && !explains_each(done, done + BLOCK, line)) return false;
        }
        return explains_each(done, count_, line);
    }

private:
    bool may_be_special(size_t from) const {
        const Numbers wanted(expected_ + from);
        const Numbers got(actual_ + from);
        uint32_t special = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const double expected = wanted[i];
            const double actual = got[i];
            special |= (fabs(expected) <= __DBL_MAX__) & (fabs(actual) <= __DBL_MAX__) ? 0u : 1u;
            special |= (expected == 0) & (actual == 0) & (expected_[from + i] != actual_[from + i]) ? 1u : 0u;
        }
        return special != 0;
    }

    void add_specials(size_t from, size_t to, Specials &found) const {
        for (size_t i = from; i < to; i++) {
            const double expected = T::number(expected_[i]);
            const double actual = T::number(actual_[i]);
            const auto add_if = [i](bool is_of, Specials::Kind &kind) {
                if (is_of && kind.count++ == 0) kind.first = static_cast<int64_t>(i);
            };
            add_if(isnan(actual), found.actual_nans);
            add_if(isnan(expected), found.expected_nans);
            add_if(isnan(expected) && isnan(actual), found.both_nans);
            add_if(isnan(expected) && isfinite(actual), found.unexpected_nans);
            add_if(isinf(expected) && isfinite(actual), found.unexpected_infinities);
            add_if(expected == 0 && actual == 0 && expected_[i] != actual_[i], found.other_zeros);
        }
    }

    RANKUNIT_INLINE bool is_explained(double expected, double actual, const Line &line, const Limits &limits) const {
        const double predicted = line.factor * expected + line.offset;
        if constexpr (T::SMALLEST_NORMAL == 0) return actual == predicted;
        const double residual = fabs(actual - predicted);
        const double difference = fabs(actual - expected);
        uint64_t power = bits_of(larger(fabs(predicted), fabs(expected))) & 0x7ff0000000000000;
        double step;
        memcpy(&step, &power, sizeof step);
        step = larger(step, T::SMALLEST_NORMAL) * T::STEP;
        const bool is_rounded = residual <= 2 * step;
        const bool is_close = (64 * residual < difference) & (residual <= allowed(fabs(predicted), limits));
        return (actual == predicted) | ((8 * residual < difference) & (is_rounded | is_close));
    }

    bool may_be_unexplained(size_t from, const Line &line) const {
        const Limits limits = limits_;
        const Numbers wanted(expected_ + from);
        const Numbers got(actual_ + from);
        uint64_t unexplained = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const double expected = wanted[i];
            const double actual = got[i];
            const bool differs = !(fabs(actual - expected) <= allowed(fabs(expected), limits));
            unexplained |= differs & !is_explained(expected, actual, line, limits) ? 1u : 0u;
        }
        return unexplained != 0;
    }

    bool explains_each(size_t from, size_t to, const Line &line) const {
        for (size_t i = from; i < to; i++) {
            const double expected = T::number(expected_[i]);
            const double actual = T::number(actual_[i]);
            if (!accepts(expected, actual, limits_) && !is_explained(expected, actual, line, limits_)) return false;
        }
        return true;
    }

    const Bits *expected_;
    const Bits *actual_;
    size_t count_;
    Limits limits_;
};

}  // namespace
}  // namespace rankunit::compare

#endif

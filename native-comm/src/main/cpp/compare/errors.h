// How errors are distributed. Part of scan_loops.h.

#ifndef RANKUNIT_COMPARE_ERRORS_H
#define RANKUNIT_COMPARE_ERRORS_H

#include "compare/numbers.h"

namespace rankunit::compare {
namespace {

// The bits of a magnitude are in the order of magnitudes.
RANKUNIT_INLINE int32_t key_of(float number) {
    return static_cast<int32_t>(bits_of(number) & 0x7fffffffu);
}
RANKUNIT_INLINE int64_t key_of(double number) {
    return static_cast<int64_t>(bits_of(number) & ~(uint64_t{1} << 63));
}
RANKUNIT_INLINE uint32_t as_unsigned(int32_t key) {
    return static_cast<uint32_t>(key);
}
RANKUNIT_INLINE uint64_t as_unsigned(int64_t key) {
    return static_cast<uint64_t>(key);
}

// Sorts errors by decade and part, a block at a time. Most errors of a block are of few decades: with those numbers
// that are exact in float, it subtracts in float, and looks at those in double that rounding may have moved.
template <typename T>
class Errors {
public:
    using Bits = typename T::Bits;
    using Number = typename T::Number;
    // Signed, because processors compare those.
    using Key = decltype(key_of(Number()));

    Errors(const Arrays &arrays, const Limits &limits, const Profile &profile)
        : expected_(static_cast<const Bits *>(arrays.expected)),
          actual_(static_cast<const Bits *>(arrays.actual)),
          count_(arrays.count),
          limits_(limits),
          profile_(profile) {}

    // Adds the elements of [from, to), at most a block. Those of `apart` are likely to be of other decades.
    void add(size_t from, size_t to, const uint32_t *apart, size_t apart_count) {
        if (subtracted_ != from) subtract(from, to);
        begin_ = from;
        for (size_t n = 0; n < apart_count; n++) {
            keys_[apart[n]] = 0;
            add_one(from + apart[n]);
        }
        while (from < to) {
            const size_t part = part_of(from);
            const size_t end = smaller(to, ((part + 1) * count_ + profile_.parts - 1) / profile_.parts);
            add_range(from, end, part);
            from = end;
        }
    }

    // Adds elements of a block of which all others are as expected.
    void add_apart(size_t from, const uint32_t *apart, size_t apart_count) {
        for (size_t n = 0; n < apart_count; n++) add_one(from + apart[n]);
    }

    // The place for the keys of the differences of a block, for a loop that subtracts anyway.
    Key *keys_from(size_t from) {
        subtracted_ = from;
        return keys_;
    }

private:
    static constexpr bool IS_ROUNDED = sizeof(Number) < sizeof(double);
    static constexpr double ROUNDING = IS_ROUNDED ? 0x1p-22 : 0;
    static constexpr size_t FEW = 8;

    size_t part_of(size_t i) const { return i * profile_.parts / count_; }

    void subtract(size_t from, size_t to) {
        for (size_t i = from; i < to; i++) {
            keys_[i - from] = key_of(T::number(actual_[i]) - T::number(expected_[i]));
        }
    }

    static Number number_of(Key key) {
        Number number;
        memcpy(&number, &key, sizeof number);
        return number;
    }

    double error_at(size_t i) const {
        const double expected = T::number(expected_[i]);
        const double actual = T::number(actual_[i]);
        const double error = fabs(actual - expected);
        if (!isnan(error)) return error;
        return accepts(expected, actual, limits_) ? 0 : INFINITY;
    }

    void add_one(size_t i) {
        const double error = error_at(i);
        double &largest = profile_.largest[part_of(i)];
        largest = larger(largest, error);
        if (error > 0 && !isinf(error)) profile_.decades[decade_of(error)]++;
    }

    // Neighbours are often of one decade.
    size_t decade_of(double error) {
        while (decade_ > 0 && error < profile_.powers[decade_]) decade_--;
        while (decade_ + 1 < profile_.power_count && error >= profile_.powers[decade_ + 1]) decade_++;
        return decade_;
    }

    void add_range(size_t from, size_t to, size_t part) {
        const Key *keys = keys_ + (from - begin_);
        const size_t count = to - from;
        Key highest = 0;
        // The lowest one above 0, less 1.
        auto lowest = as_unsigned(Key(-1));
        Key errors = 0;
        for (size_t i = 0; i < count; i++) {
            errors += keys[i] != 0 ? 1 : 0;
            highest = larger(highest, keys[i]);
            lowest = smaller(lowest, as_unsigned(keys[i]) - 1);
        }
        if (highest == 0) return;
        const size_t first = decade_of(number_of(static_cast<Key>(lowest + 1)) * (1 - ROUNDING));
        const size_t last = decade_of(number_of(highest) * (1 + ROUNDING));
        if (isinf(number_of(highest)) || isnan(number_of(highest)) || last - first > FEW) {
            for (size_t i = 0; i < count; i++) {
                if (keys[i] != 0) add_one(from + i);
            }
            return;
        }
        profile_.largest[part] = larger(profile_.largest[part], largest(from, to, highest, profile_.largest[part]));
        int64_t above = errors;
        for (size_t decade = first; decade < last; decade++) {
            const int64_t further = count_from(from, count, profile_.powers[decade + 1]);
            profile_.decades[decade] += above - further;
            above = further;
        }
        profile_.decades[last] += above;
    }

    // The number of errors that are at least a power.
    int64_t count_from(size_t from, size_t count, double power) const {
        const Key *keys = keys_ + (from - begin_);
        Number number = static_cast<Number>(power);
        if constexpr (IS_ROUNDED) {
            if (number < power) number = nextafterf(number, INFINITY);
        }
        const Key bound = key_of(number);
        Key reached = 0;
        Key above = 0;
        Key near = 0;
        for (size_t i = 0; i < count; i++) {
            reached += keys[i] >= bound ? 1 : 0;
            above += keys[i] > bound ? 1 : 0;
            near += keys[i] > bound - 2 ? 1 : 0;
        }
        // Rounding moves an error to the power at most, or to the number before.
        if (!IS_ROUNDED || above == near || are_exact(from, from + count)) return reached;
        for (size_t i = 0; i < count; i++) {
            const bool is_near = keys[i] == bound || keys[i] == bound - 1;
            if (is_near && error_at(from + i) >= power) above++;
        }
        return above;
    }

    // The largest error of a range if it is larger than that of others.
    double largest(size_t from, size_t to, Key highest, double others) const {
        const double rounded = number_of(highest);
        if constexpr (!IS_ROUNDED) return rounded;
        if (rounded < static_cast<double>(static_cast<Number>(others)) || are_exact(from, to)) return rounded;
        double largest = 0;
        for (size_t i = from; i < to; i++) {
            if (keys_[i - begin_] != 0) largest = larger(largest, error_at(i));
        }
        return largest;
    }

    // Whether no difference of the range was rounded: what it was rounded by is a number of the same type.
    bool are_exact(size_t from, size_t to) const {
        uint32_t inexact = 0;
        for (size_t i = from; i < to; i++) {
            const Number expected = T::number(expected_[i]);
            const Number actual = T::number(actual_[i]);
            const Number difference = actual - expected;
            const Number from_expected = difference - actual;
            const Number rounded_by = (actual - (difference - from_expected)) - (expected + from_expected);
            inexact |= rounded_by == 0 ? 0u : 1u;
        }
        return inexact == 0;
    }

    const Bits *expected_;
    const Bits *actual_;
    size_t count_;
    Limits limits_;
    Profile profile_;
    size_t decade_ = 0;
    size_t begin_ = 0;
    size_t subtracted_ = ~size_t{0};
    alignas(64) Key keys_[BLOCK];
};

}  // namespace
}  // namespace rankunit::compare

#endif

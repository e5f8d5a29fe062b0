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
    using Numbers = Block<T, BLOCK>;
    // Signed, because processors compare those.
    using Key = decltype(key_of(Number()));
    static constexpr bool IS_ROUNDED = sizeof(Number) < sizeof(double);

    Errors(const Arrays &arrays, const Limits &limits, const Profile &profile)
        : expected_(static_cast<const Bits *>(arrays.expected)),
          actual_(static_cast<const Bits *>(arrays.actual)),
          count_(arrays.count),
          limits_(limits),
          profile_(profile) {}

    // Adds a block. The elements of `apart` are likely to be of other decades.
    void add(size_t from, const Numbers &wanted, const Numbers &got, const uint32_t *apart, size_t apart_count) {
        wanted_ = &wanted;
        got_ = &got;
        if (subtracted_ != from) subtract();
        begin_ = from;
        for (size_t n = 0; n < apart_count; n++) {
            keys_[apart[n]] = 0;
            add_one(from + apart[n]);
        }
        const size_t to = from + BLOCK;
        while (from < to) {
            const size_t part = part_of(from);
            const size_t end = smaller(to, ((part + 1) * count_ + profile_.parts - 1) / profile_.parts);
            add_range(from, end, part);
            from = end;
        }
    }

    void add_each(size_t from, size_t to) {
        for (size_t i = from; i < to; i++) add_one(i);
    }

    // Adds elements of a block of which all others are as expected.
    void add_apart(size_t from, const uint32_t *apart, size_t apart_count) {
        for (size_t n = 0; n < apart_count; n++) add_one(from + apart[n]);
    }

    // For a loop that subtracts the elements of a block anyway: it puts the keys of the differences into their place,
    // and says whether they are not rounded.
    void begin(size_t from) { subtracted_ = from; }
    Key *keys() { return keys_; }
    void set_exact(bool exact) { exact_ = exact || !IS_ROUNDED; }

private:
    static constexpr double ROUNDING = IS_ROUNDED ? 0x1p-22 : 0;
    static constexpr size_t FEW = 8;
    static constexpr Key LARGEST = sizeof(Key) == 8 ? INT64_MAX : INT32_MAX;

    size_t part_of(size_t i) const { return i * profile_.parts / count_; }

    void subtract() {
        set_exact(false);
        for (size_t i = 0; i < BLOCK; i++) keys_[i] = key_of((*got_)[i] - (*wanted_)[i]);
    }

    // In the order of keys, but that 0 is the largest one: processors without a minimum of unsigned numbers find the
    // lowest other one.
    static RANKUNIT_INLINE Key rotated(Key key) { return static_cast<Key>(as_unsigned(key) + as_unsigned(LARGEST)); }
    static Key rotated_back(Key key) { return static_cast<Key>(as_unsigned(key) - as_unsigned(LARGEST)); }

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

    // What a loop over keys finds, and how many are at or above three of them. If keys are rounded, `above` does not
    // count the key itself, and `near` counts it and the one below.
    struct Seen {
        Key highest = 0;
        // The lowest one above 0, as rotated() has it.
        Key lowest = LARGEST;
        Key errors = 0;
        Key above[3] = {};
        Key near[3] = {};
    };

    // With named counters, of which the compiler makes vectors.
    template <size_t bounds, bool exact>
    static Seen look(const Key *keys, size_t count, const Key *bound) {
        Seen seen;
        Key above_0 = 0, above_1 = 0, above_2 = 0, near_0 = 0, near_1 = 0, near_2 = 0;
        for (size_t i = 0; i < count; i++) {
            const Key key = keys[i];
            seen.errors += key != 0 ? 1 : 0;
            seen.highest = larger(seen.highest, key);
            seen.lowest = smaller(seen.lowest, rotated(key));
            if constexpr (bounds > 0) {
                above_0 += key > bound[0] - (exact ? 1 : 0) ? 1 : 0;
                if constexpr (!exact) near_0 += key > bound[0] - 2 ? 1 : 0;
            }
            if constexpr (bounds > 1) {
                above_1 += key > bound[1] - (exact ? 1 : 0) ? 1 : 0;
                if constexpr (!exact) near_1 += key > bound[1] - 2 ? 1 : 0;
            }
            if constexpr (bounds > 2) {
                above_2 += key > bound[2] - (exact ? 1 : 0) ? 1 : 0;
                if constexpr (!exact) near_2 += key > bound[2] - 2 ? 1 : 0;
            }
        }
        const Key above[] = {above_0, above_1, above_2};
        const Key near[] = {near_0, near_1, near_2};
        memcpy(seen.above, above, sizeof above);
        memcpy(seen.near, near, sizeof near);
        return seen;
    }

    // Looks for the decades of the range before, which are likely to be those of this one.
    template <bool exact>
    Seen look(const Key *keys, size_t count) const {
        switch (smaller(likely_last_ - likely_first_, size_t{3})) {
            case 0:
                return look<0, exact>(keys, count, nullptr);
            case 1:
                return look<1, exact>(keys, count, likely_bounds_);
            case 2:
                return look<2, exact>(keys, count, likely_bounds_);
            default:
                return look<3, exact>(keys, count, likely_bounds_);
        }
    }

    void add_range(size_t from, size_t to, size_t part) {
        const Key *keys = keys_ + (from - begin_);
        const size_t count = to - from;
        const Seen seen = exact_ ? look<true>(keys, count) : look<false>(keys, count);
        const Key highest = seen.highest;
        if (highest == 0) return;
        const size_t first = decade_of(number_of(rotated_back(seen.lowest)) * (1 - ROUNDING));
        const size_t last = decade_of(number_of(highest) * (1 + ROUNDING));
        if (isinf(number_of(highest)) || isnan(number_of(highest)) || last - first > FEW) {
            for (size_t i = 0; i < count; i++) {
                if (keys[i] != 0) add_one(from + i);
            }
            return;
        }
        profile_.largest[part] = larger(profile_.largest[part], largest(from, to, highest, profile_.largest[part]));
        int64_t above = seen.errors;
        for (size_t decade = first; decade < last; decade++) {
            const int64_t further = count_from(from, count, decade + 1, seen);
            profile_.decades[decade] += above - further;
            above = further;
        }
        profile_.decades[last] += above;
        expect(first, last);
    }

    void expect(size_t first, size_t last) {
        if (first == likely_first_ && last == likely_last_) return;
        likely_first_ = first;
        likely_last_ = last;
        for (size_t n = 0; n < 3 && first + n < last; n++) likely_bounds_[n] = bound_of(first + n + 1);
    }

    // The lowest key of a decade.
    Key bound_of(size_t decade) const {
        const double power = profile_.powers[decade];
        Number number = static_cast<Number>(power);
        if constexpr (IS_ROUNDED) {
            if (number < power) number = nextafterf(number, INFINITY);
        }
        return key_of(number);
    }

    // The number of errors that are of a decade or above.
    int64_t count_from(size_t from, size_t count, size_t decade, const Seen &seen) const {
        const Key *keys = keys_ + (from - begin_);
        const Key bound = bound_of(decade);
        const size_t n = decade - likely_first_ - 1;
        const bool is_known = decade > likely_first_ && decade <= likely_last_ && n < 3;
        if (exact_) return is_known ? seen.above[n] : keys_above(keys, count, bound - 1);
        int64_t above = is_known ? seen.above[n] : keys_above(keys, count, bound);
        const int64_t near = is_known ? seen.near[n] : keys_above(keys, count, bound - 2);
        // Rounding moves an error to the power at most, or to the number before.
        if (above == near) return above;
        if (are_exact(from, from + count)) return keys_above(keys, count, bound - 1);
        for (size_t i = 0; i < count; i++) {
            const bool is_near = keys[i] == bound || keys[i] == bound - 1;
            if (is_near && error_at(from + i) >= profile_.powers[decade]) above++;
        }
        return above;
    }

    static int64_t keys_above(const Key *keys, size_t count, Key bound) {
        Key above = 0;
        for (size_t i = 0; i < count; i++) above += keys[i] > bound ? 1 : 0;
        return above;
    }

    // The largest error of a range if it is larger than that of others.
    double largest(size_t from, size_t to, Key highest, double others) const {
        const double rounded = number_of(highest);
        if (exact_) return rounded;
        if (rounded < static_cast<double>(static_cast<Number>(others)) || are_exact(from, to)) return rounded;
        double largest = 0;
        for (size_t i = from; i < to; i++) {
            if (keys_[i - begin_] != 0) largest = larger(largest, error_at(i));
        }
        return largest;
    }

    // Whether no difference of the range was rounded: what it was rounded by is a number of the same type.
    bool are_exact(size_t from, size_t to) const {
        const Numbers &wanted = *wanted_;
        const Numbers &got = *got_;
        uint32_t large = 0;
        for (size_t i = from - begin_; i < to - begin_; i++) {
            large |= is_surely_exact(number_of(keys_[i]), wanted[i]) ? 0u : 1u;
        }
        if (large == 0) return true;
        uint32_t inexact = 0;
        for (size_t i = from - begin_; i < to - begin_; i++) {
            const Number expected = wanted[i];
            const Number actual = got[i];
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
    const Numbers *wanted_ = nullptr;
    const Numbers *got_ = nullptr;
    size_t decade_ = 0;
    // The decades of the range before, and the bounds of the first three of them but the first.
    size_t likely_first_ = 0;
    size_t likely_last_ = 0;
    Key likely_bounds_[3] = {};
    // Whether no difference of the block was rounded.
    bool exact_ = false;
    size_t begin_ = 0;
    size_t subtracted_ = ~size_t{0};
    alignas(64) Key keys_[BLOCK];
};

}  // namespace
}  // namespace rankunit::compare

#endif

"""Judges comparisons of outputs with goldens by NumPy, or by torch.testing, from what the documentation says and with decoders of
its own.

usage: reference.py numpy|torch CASES

CASES has a line for each case: type, criterion, parameter, share, whether NaN equals NaN, and in hexadecimal the expected elements, the
actual ones, and those of another implementation ("-" for none). For each case one line is printed: whether the output passes ("?" if
that is too close to a bound for floating-point arithmetic to tell), the number of elements outside the tolerance, and the value of each
statistic by name.
"""
import math
import sys

import numpy as np

FRACTION_AND_EXPONENT_BITS = {"float16": (10, 5), "bfloat16": (7, 8), "float32": (23, 8), "float64": (52, 11),
                              "float8_e4m3fn": (3, 4), "float8_e5m2": (2, 5)}
CLOSE = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}
THRESHOLD = {"float16": 2.0 ** -10, "bfloat16": 2.0 ** -7, "float32": 2.0 ** -13, "float8_e4m3fn": 2.0 ** -3,
             "float8_e5m2": 2.0 ** -2}
PER_MILLE = {"float16": 1e-3, "bfloat16": 4e-3, "float32": 1e-4, "float64": 1e-4}
MOST = {"float32": 0.01, "float8_e4m3fn": 1.0, "float8_e5m2": 1.0}
SUM_BOUND = {"float16": (2.0 ** -8, 2.0 ** -10), "bfloat16": (2.0 ** -7, 2.0 ** -7), "float32": (2.0 ** -11, 2.0 ** -14)}
LEVELS = {"L0": (10, 2, 2), "L1": (5, 1.5, 1.5), "L2": (2, 1.2, 1.2)}
SMALL = {"float16": (2.0 ** -11, 2.0 ** -16), "bfloat16": (2.0 ** -8, 2.0 ** -16), "float32": (2.0 ** -14, 2.0 ** -30),
         "float8_e4m3fn": (2.0 ** -4, 2.0 ** -6), "float8_e5m2": (2.0 ** -3, 2.0 ** -5)}
UNSURE = 1e-9


def hifloat8(code):
    if code == 0x80:
        return math.nan
    sign, rest = (-1.0 if code >> 7 else 1.0), code & 0x7F
    if rest == 0:
        return 0.0
    if rest == 0x6F:
        return sign * math.inf
    bits = format(rest, "07b")
    for dot, exponent_bits in (("11", 4), ("10", 3), ("01", 2), ("001", 1), ("0001", 0)):
        if bits.startswith(dot):
            tail = bits[len(dot):]
            field, fraction = tail[:exponent_bits], tail[exponent_bits:]
            exponent = 0
            if exponent_bits:
                exponent = int("1" + field[1:], 2) * (-1 if field[0] == "1" else 1)
            return sign * 2.0 ** exponent * (1 + int(fraction, 2) / 2 ** len(fraction))
    return sign * 2.0 ** (rest - 23)


def e4m3fn(code):
    sign, exponent, fraction = (-1.0 if code >> 7 else 1.0), code >> 3 & 15, code & 7
    if exponent == 15 and fraction == 7:
        return math.nan
    return sign * (fraction * 2.0 ** -9 if exponent == 0 else (1 + fraction / 8) * 2.0 ** (exponent - 7))


def e5m2(code):
    sign, exponent, fraction = (-1.0 if code >> 7 else 1.0), code >> 2 & 31, code & 3
    if exponent == 31:
        return math.nan if fraction else sign * math.inf
    return sign * (fraction * 2.0 ** -16 if exponent == 0 else (1 + fraction / 4) * 2.0 ** (exponent - 15))


TABLES = {"hifloat8": np.array([hifloat8(i) for i in range(256)]), "float8_e4m3fn": np.array([e4m3fn(i) for i in range(256)]),
          "float8_e5m2": np.array([e5m2(i) for i in range(256)])}
RANKS = {name: {value: rank for rank, value in enumerate(sorted(set(table[np.isfinite(table)])))}
         for name, table in TABLES.items()}


def size_of(kind):
    return 1 if kind in TABLES or kind == "bool" else 2 if kind == "bfloat16" else np.dtype(kind).itemsize


def bits_of(kind, raw):
    return np.frombuffer(raw, "<u%d" % size_of(kind))


def is_floating(kind):
    return "float" in kind


def decoded(kind, raw):
    """As float64, or as integers of Python."""
    if kind in TABLES:
        return TABLES[kind][np.frombuffer(raw, np.uint8)]
    if kind == "bfloat16":
        return (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if is_floating(kind):
        return np.frombuffer(raw, np.dtype(kind).newbyteorder("<")).astype(np.float64)
    return [int(x) for x in np.frombuffer(raw, "u1" if kind == "bool" else np.dtype(kind).newbyteorder("<"))]


def ordinal(kind, value, bits):
    """The place of a finite element in the order of its type."""
    if kind in TABLES:
        return RANKS[kind][value]
    magnitude = int(bits) & ((1 << 8 * size_of(kind) - 1) - 1)
    return -magnitude if math.copysign(1, value) < 0 else magnitude


def within(e, a, rtol, atol, floor=0.0):
    difference = abs(a - e)
    if math.isinf(difference):
        wide = np.longdouble
        return abs(wide(a) - wide(e)) <= wide(atol) + wide(rtol) * max(wide(floor), abs(wide(e)))
    return difference <= atol + rtol * max(floor, abs(e))


class Case:
    def __init__(self, line):
        fields = line.split()
        self.kind, self.criterion, self.parameter = fields[0], fields[1], fields[2]
        self.share, self.nan = float(fields[3]), fields[4] == "true"
        raw = [bytes.fromhex(field) for field in fields[5:8] if field != "-"]
        self.raw = raw
        self.expected, self.actual = decoded(self.kind, raw[0]), decoded(self.kind, raw[1])
        self.third = decoded(self.kind, raw[2]) if len(raw) > 2 else None
        self.bits = [bits_of(self.kind, each) for each in raw]


def is_close(case, i, e, a):
    """Of two finite elements that differ."""
    kind, parameter = case.kind, case.parameter

    def steps():
        return abs(ordinal(kind, e, case.bits[0][i]) - ordinal(kind, a, case.bits[1][i]))

    if case.criterion == "close":
        return within(e, a, *CLOSE.get(kind, (0.0, 0.0)))
    if case.criterion == "within":
        rtol, atol = (float(x) for x in parameter.split(","))
        return within(e, a, rtol, atol)
    if case.criterion == "doublePerMille":
        return within(e, a, PER_MILLE.get(kind, 0.0), PER_MILLE.get(kind, 0.0))
    if case.criterion == "meanAndMaximum":
        return within(e, a, 10 * THRESHOLD[kind], 10 * THRESHOLD[kind] * 1e-7)
    if case.criterion == "mixedTolerance":
        return within(e, a, THRESHOLD[kind], THRESHOLD[kind])
    if case.criterion == "reduction":
        return within(e, a, SUM_BOUND[kind][0] * (1 if int(parameter) < 2048 else 2), 0.0, 1.0)
    if case.criterion == "ulps":
        return steps() <= int(parameter)
    return True  # cosine, level: statistics decide


def is_too_far(case, i, e, a):
    if case.criterion != "mixedTolerance":
        return False
    steps = abs(ordinal(case.kind, e, case.bits[0][i]) - ordinal(case.kind, a, case.bits[1][i]))
    return abs(a - e) > MOST.get(case.kind, 0.1) and steps > 32


def quotient(e, a):
    divisor = max(1.0, abs(e))
    return (a - e) / divisor if math.isfinite(a - e) else a / divisor - e / divisor


def sums(kind, expected, actual, leave_out):
    """MARE, MERE, RMSE, bias, cosine, and the number of large errors of small elements."""
    wide = np.longdouble
    e, a = np.asarray(expected, wide), np.asarray(actual, wide)
    both = np.isfinite(e) & np.isfinite(a)
    e, a = e[both], a[both]
    small_errors = 0
    if leave_out and kind in SMALL:
        threshold, error = SMALL[kind]
        small = abs(e) < threshold
        small_errors = int((abs(a - e)[small] > error).sum())
        e, a = e[~small], a[~small]
    if len(e) == 0:
        return 0.0, 0.0, 0.0, 0.0, 1.0, small_errors
    relative = abs(a - e) / (abs(e) + wide(1e-7))
    scale_e, scale_a = abs(e).max(), abs(a).max()
    if scale_e == 0 or scale_a == 0:
        cosine = 1.0 if scale_e == scale_a else 0.0
    else:
        x, y = e / scale_e, a / scale_a
        cosine = (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())
    return (relative.max(), relative.mean(), np.sqrt(((a - e) ** 2).mean()), abs(math.fsum((quotient(x, y) for x, y in zip(e.astype(float), a.astype(float)))) / len(e)),
            min(cosine, wide(1)), small_errors)


def floating_verdict(case):
    n = len(case.expected)
    outside = not_finite = too_far = 0
    for i in range(n):
        e, a = float(case.expected[i]), float(case.actual[i])
        if case.criterion == "exactBits":
            outside += int(case.bits[0][i] != case.bits[1][i])
            continue
        if math.isnan(e) or math.isnan(a):
            equal = case.nan and math.isnan(e) and math.isnan(a)
        elif math.isinf(e) or math.isinf(a):
            equal = e == a
        else:
            outside += int(e != a and not is_close(case, i, e, a))
            too_far += int(e != a and is_too_far(case, i, e, a))
            continue
        if not equal and case.third is not None and not math.isfinite(a):
            t = float(case.third[i])
            equal = (math.isnan(t) and math.isnan(a)) or t == a
        outside += int(not equal)
        not_finite += int(not equal)
    bounds = []
    mare, mere, rmse, bias, cosine, small = sums(case.kind, case.expected, case.actual, case.criterion == "level")
    if case.criterion == "meanAndMaximum":
        bounds = [("MERE", mere, "<", THRESHOLD[case.kind]), ("MARE", mare, "<", 10 * THRESHOLD[case.kind])]
    elif case.criterion == "reduction":
        bounds = [("mean bias", bias, "<=", SUM_BOUND[case.kind][1])]
    elif case.criterion == "cosine":
        bounds = [("cosine similarity", cosine, ">=", float(case.parameter))]
    elif case.criterion == "level":
        times = LEVELS[case.parameter]
        theirs = sums(case.kind, case.expected, case.third, True)
        bounds = [("MARE", mare, "<=", times[0] * (theirs[0] + 1e-7)), ("MERE", mere, "<=", times[1] * (theirs[1] + 1e-7)),
                  ("RMSE", rmse, "<=", times[2] * (theirs[2] + 1e-7)),
                  ("errors of small values", small, "<=", 2.0 * max(1, theirs[5]))]
    share = {"mixedTolerance": 0.01, "doublePerMille": PER_MILLE.get(case.kind, 0.0)}.get(case.criterion, case.share)
    passed = not_finite == 0 and too_far == 0 and (outside == 0 or outside / n <= share)
    for _, value, relation, limit in bounds:
        if case_is_unsure(value, limit) and passed:
            passed = None
        elif not {"<": value < limit, "<=": value <= limit, ">=": value >= limit}[relation]:
            passed = False
    return passed, outside, [(name, value) for name, value, _, _ in bounds]


def case_is_unsure(value, limit):
    return value != 0 and abs(value - limit) <= UNSURE * max(abs(value), abs(limit))


def integer_verdict(case):
    outside = 0
    for e, a in zip(case.expected, case.actual):
        outside += int(abs(e - a) > (int(case.parameter) if case.criterion == "ulps" else 0))
    share = case.share
    return outside == 0 or outside / len(case.expected) <= share, outside, []


def by_numpy(cases):
    for line in cases:
        case = Case(line)
        passed, outside, statistics = floating_verdict(case) if is_floating(case.kind) else integer_verdict(case)
        verdict = "?" if passed is None else "passed" if passed else "failed"
        print("\t".join([verdict, str(outside)] + ["%s=%.17g" % (name, float(value)) for name, value in statistics]))


def by_torch(cases):
    import torch

    near = {"float16": 2.0 ** -8, "bfloat16": 2.0 ** -5, "float32": 2.0 ** -20, "float64": 2.0 ** -48}
    for line in cases:
        case = Case(line)
        if case.kind == "bfloat16":
            tensors = [torch.from_numpy(np.frombuffer(raw, np.int16).copy()).view(torch.bfloat16) for raw in case.raw]
        else:
            tensors = [torch.from_numpy(np.frombuffer(raw, case.kind).copy()) for raw in case.raw]
        unsure = False
        if is_floating(case.kind):
            rtol, atol = CLOSE[case.kind]
            with np.errstate(all="ignore"):
                allowed = atol + rtol * abs(case.expected)
                differences = abs(case.actual - case.expected)
                # torch compares in the type itself
                unsure = bool((abs(differences - allowed) <= near[case.kind] * allowed).any())
        try:
            torch.testing.assert_close(tensors[1], tensors[0], equal_nan=case.nan)
            verdict = "passed"
        except AssertionError:
            verdict = "failed"
        print("?" if unsure else verdict)


if __name__ == "__main__":
    np.seterr(all="ignore")
    with open(sys.argv[2]) as file:
        {"numpy": by_numpy, "torch": by_torch}[sys.argv[1]](file)

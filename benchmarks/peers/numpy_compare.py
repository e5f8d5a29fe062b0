"""Times numpy.testing.assert_allclose of two arrays that agree within the tolerance: seconds, one line a pass."""
import sys
import time

import numpy

dtype, count, passes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
expected = (1 + 99 * numpy.random.default_rng(1).random(count, dtype=numpy.float32)).astype(dtype)
actual = expected.copy()
actual[::3] *= numpy.asarray(1 + numpy.finfo(dtype).eps, dtype)
rtol = 1e-3 if dtype == "float16" else 1.3e-6
for _ in range(passes):
    begin = time.perf_counter()
    numpy.testing.assert_allclose(actual, expected, rtol=rtol, atol=1e-5)
    print(time.perf_counter() - begin)

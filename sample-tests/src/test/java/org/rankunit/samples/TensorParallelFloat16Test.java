package org.rankunit.samples;

import static org.rankunit.DType.FLOAT16;
import static org.rankunit.Placement.WINDOW;

import org.junit.jupiter.api.Tag;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Platforms;
import org.rankunit.Window;

/** The tensor-parallel layer in float16. Sums are made in float32. */
@Tag("downstream")
@DeviceCount({2, 4})
@Platforms({"a2a3sim", "a5sim"})
@DeviceRuntime({"aicpu_build_graph", "tensormap_and_ringbuffer"})
@Window(syncPrefix = 256)
@Buffer(
        name = "partials",
        type = FLOAT16,
        count = TensorParallelLayer.MAX_CHIPS * TensorParallelLayer.ROWS * TensorParallelLayer.COLUMNS,
        placement = WINDOW)
@Buffer(
        name = "x",
        type = FLOAT16,
        count = TensorParallelLayer.ROWS * TensorParallelLayer.INNER / TensorParallelLayer.FEWEST_CHIPS)
@Buffer(
        name = "w",
        type = FLOAT16,
        count = TensorParallelLayer.INNER / TensorParallelLayer.FEWEST_CHIPS * TensorParallelLayer.COLUMNS)
@Buffer(name = "w1", type = FLOAT16, count = TensorParallelLayer.COLUMNS * TensorParallelLayer.HIDDEN)
@Buffer(name = "w2", type = FLOAT16, count = TensorParallelLayer.HIDDEN * TensorParallelLayer.COLUMNS)
@Buffer(name = "out", type = FLOAT16, count = TensorParallelLayer.ROWS * TensorParallelLayer.COLUMNS)
class TensorParallelFloat16Test extends TensorParallelLayer {

    TensorParallelFloat16Test() {
        super(1e-2);
    }
}

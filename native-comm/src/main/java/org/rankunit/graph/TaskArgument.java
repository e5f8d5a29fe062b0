package org.rankunit.graph;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.device.Kernel;

/**
 * One argument of a task or a launch: a number, or a tensor with how the kernel uses it. Kernels get one word for each argument: the
 * value of a scalar, the address of a tensor.
 *
 * @param value of a scalar, or the device address of a tensor
 * @param bytes of a tensor; 0 for a scalar
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record TaskArgument(Use use, long value, long bytes) implements Kernel.Argument {

    /** How a kernel uses an argument. */
    public enum Use {
        SCALAR(0),
        IN(1),
        OUT(2),
        INOUT(3);

        private final int number;

        Use(int number) {
            this.number = number;
        }

        /** Its number in {@code GraphArgument} of {@code graph.h}. */
        int number() {
            return number;
        }
    }

    public TaskArgument {
        if (use == Use.SCALAR ? bytes != 0 : bytes < 1) {
            throw new IllegalArgumentException(
                    "bytes = " + bytes + " of an argument " + use + ": a scalar has 0," + " a tensor at least 1");
        }
    }

    public static TaskArgument scalar(long value) {
        return new TaskArgument(Use.SCALAR, value, 0);
    }

    /** A tensor that the kernel reads. */
    public static TaskArgument in(long address, long bytes) {
        return new TaskArgument(Use.IN, address, bytes);
    }

    /** A tensor that the kernel writes. */
    public static TaskArgument out(long address, long bytes) {
        return new TaskArgument(Use.OUT, address, bytes);
    }

    /** A tensor that the kernel reads and writes. */
    public static TaskArgument inout(long address, long bytes) {
        return new TaskArgument(Use.INOUT, address, bytes);
    }

    @Override
    public int useNumber() {
        return use.number();
    }

    /** The words that a kernel or an orchestration function gets for these arguments. */
    public static long[] words(List<TaskArgument> arguments) {
        return arguments.stream().mapToLong(TaskArgument::value).toArray();
    }
}

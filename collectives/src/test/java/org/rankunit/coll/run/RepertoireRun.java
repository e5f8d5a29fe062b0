package org.rankunit.coll.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.rankunit.DType;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.algorithms.Repertoire;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.Reduction;
import org.rankunit.coll.plain.PlainData;
import org.rankunit.comm.Communicator;
import org.rankunit.device.Device;

/** All algorithms that work in windows, with several counts, each twice in a row. */
final class RepertoireRun {

    private static final long OUTPUT = 1 << 15;

    private RepertoireRun() {}

    /** Prints "equal" if all outputs are those of a plain computation. */
    static void all(Communicator comm, Device device, Reduction reduction) {
        int ranks = comm.rankCount();
        for (CollectiveAlgorithm algorithm : Repertoire.all()) {
            for (long count : new long[] {0, 1, ranks + 1, 131}) {
                CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, count);
                call = algorithm.collective().hasRoot() ? call.withRoot(ranks - 1) : call;
                call = algorithm.collective().reduces() ? call.withReduction(reduction) : call;
                if (algorithm.whyNot(call).isEmpty()) {
                    runTwice(comm, device, algorithm, call);
                }
            }
        }
        System.out.println("equal");
    }

    private static void runTwice(Communicator comm, Device device, CollectiveAlgorithm algorithm, CollectiveCall call) {
        int[] input = PlainData.input(call, comm.rank());
        int[] expected = PlainData.expected(call, comm.rank());
        ByteBuffer given = words(input.length);
        given.asIntBuffer().put(input);
        ByteBuffer got = words(expected.length);
        try (CollectivePlan plan = CollectivePlan.of(comm, algorithm, call)) {
            for (int round = 0; round < 2; round++) {
                device.copyIn(comm.windowBase(), given.rewind());
                plan.run(0, OUTPUT);
                device.copyOut(comm.windowBase() + OUTPUT, got.rewind());
                int[] actual = new int[expected.length];
                got.rewind().asIntBuffer().get(actual);
                if (!Arrays.equals(actual, expected)) {
                    throw new AssertionError(algorithm.name() + ", " + call + ": " + Arrays.toString(actual));
                }
            }
        }
    }

    private static ByteBuffer words(int count) {
        return ByteBuffer.allocateDirect(count * Integer.BYTES).order(ByteOrder.nativeOrder());
    }
}

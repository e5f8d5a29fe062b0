package org.rankunit.collective.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.exchange.msccl.Examples;
import org.rankunit.collective.exchange.msccl.MscclAlgorithm;
import org.rankunit.collective.exchange.msccl.MscclFile;
import org.rankunit.collective.plain.PlainData;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.comm.Communicator;
import org.rankunit.device.Device;

/** All algorithms that work in windows, with several counts, each twice in a row. */
final class RepertoireRun {

    private static final long OUTPUT = 1 << 15;

    private RepertoireRun() {}

    /** Prints "equal" if all outputs are those of a plain computation. */
    static void all(Communicator comm, Device device, Reduction reduction) {
        int ranks = comm.worldSize();
        for (CollectiveAlgorithm algorithm : BuiltinAlgorithms.all()) {
            for (long count : new long[] {0, 1, ranks + 1, 131}) {
                CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, count);
                call = algorithm.collective().hasRoot() ? call.withRoot(ranks - 1) : call;
                call = algorithm.collective().reduces() ? call.withReduction(reduction) : call;
                if (algorithm.unsupportedReason(call).isEmpty()) {
                    runTwice(comm, device, algorithm, call);
                }
            }
        }
        System.out.println("equal");
    }

    /** Programs of MSCCL for so many ranks: those that are written by hand, and all algorithms after they were written and read. */
    static void programs(Communicator comm, Device device) {
        int ranks = comm.worldSize();
        try {
            Path file = Files.createTempFile("program", ".xml");
            for (String text : Examples.small().values()) {
                run(comm, device, MscclFile.read(Files.writeString(file, text)));
            }
            for (CollectiveAlgorithm algorithm : BuiltinAlgorithms.all()) {
                CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, 2L * ranks);
                boolean known =
                        algorithm.collective() != Collective.BARRIER && algorithm.collective() != Collective.SEND_RECV;
                if (known && algorithm.unsupportedReason(call).isEmpty()) {
                    MscclFile.write(Schedule.of(algorithm, call), file);
                    run(comm, device, MscclFile.read(file));
                }
            }
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println("equal");
    }

    private static void run(Communicator comm, Device device, MscclAlgorithm program) {
        CollectiveCall call =
                CollectiveCall.of(program.collective(), comm.worldSize(), DType.INT32, 7 * program.countStep());
        if (program.unsupportedReason(call).isEmpty()) {
            runTwice(comm, device, program, call);
        }
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

package org.rankunit.collective.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.rankunit.DType;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.operators.Operators;
import org.rankunit.collective.select.HcclAlgo;
import org.rankunit.collective.select.Interconnect;
import org.rankunit.collective.select.Rules;
import org.rankunit.collective.select.Selection;
import org.rankunit.comm.Communicator;
import org.rankunit.device.Device;
import org.rankunit.device.Stream;

/** Runs all operators on one rank, whose element i is 100 * rank + i at first. */
final class OperatorsRun {

    private static final int COUNT = 12;

    private final Communicator comm;
    private final Device device;
    private final Stream stream;
    private final int ranks;
    private final long send;
    private final long recv;
    private final List<String> tags = new ArrayList<>();

    private OperatorsRun(Communicator comm, Device device, Stream stream) {
        this.comm = comm;
        this.device = device;
        this.stream = stream;
        this.ranks = comm.worldSize();
        this.send = device.allocate((long) COUNT * ranks * Float.BYTES);
        this.recv = device.allocate((long) COUNT * ranks * Float.BYTES);
    }

    static void all(Communicator comm, Device device) {
        try (Stream stream = device.createStream()) {
            new OperatorsRun(comm, device, stream).all();
        }
        System.out.println("equal");
    }

    private void all() {
        Rules rules = new Rules(Interconnect.MESH, HcclAlgo.none());
        int rank = comm.rank();
        int root = ranks - 1;
        try (Operators operators = new Operators(comm, call -> selected(rules, call))) {
            for (int round = 0; round < 2; round++) {
                fill();
                operators.allReduce(send, recv, COUNT, DType.FLOAT32, Reduction.SUM, stream);
                compare(recv, COUNT, i -> 50 * ranks * (ranks - 1) + ranks * i);
                operators.allGather(send, recv, COUNT, DType.FLOAT32, stream);
                compare(recv, COUNT * ranks, i -> 100 * (i / COUNT) + i % COUNT);
                operators.reduceScatter(send, recv, COUNT, DType.FLOAT32, Reduction.MAX, stream);
                compare(recv, COUNT, i -> 100 * root + COUNT * rank + i);
                operators.allToAll(send, recv, COUNT, DType.FLOAT32, stream);
                compare(recv, COUNT * ranks, i -> 100 * (i / COUNT) + COUNT * rank + i % COUNT);
                operators.scatter(send, recv, COUNT, DType.FLOAT32, root, stream);
                compare(recv, COUNT, i -> 100 * root + COUNT * rank + i);
                operators.reduce(send, recv, COUNT, DType.FLOAT32, Reduction.MIN, root, stream);
                if (rank == root) {
                    compare(recv, COUNT, i -> i);
                }
                operators.broadcast(send, COUNT, DType.FLOAT32, root, stream);
                compare(send, COUNT, i -> 100 * root + i);
            }
        }
        requireTagsFoundAgain();
    }

    private Optional<Selection> selected(Rules rules, CollectiveCall call) {
        Optional<Selection> chosen = rules.select(call);
        chosen.ifPresent(each -> tags.add(each.tag()));
        return chosen;
    }

    /** On the stream, so that an operator that does not wait for it sends something else. */
    private void fill() {
        ByteBuffer data = ByteBuffer.allocateDirect(COUNT * ranks * Float.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < COUNT * ranks; i++) {
            data.putFloat(100 * comm.rank() + i);
        }
        stream.copyIn(send, data.flip());
    }

    private void compare(long address, int count, IntToDoubleFunction expected) {
        RankScenario.compare(device, address, count, expected);
    }

    private void requireTagsFoundAgain() {
        int each = tags.size() / 2;
        if (!tags.subList(0, each).equals(tags.subList(each, tags.size()))
                || new HashSet<>(tags.subList(0, each)).size() != each) {
            throw new AssertionError("the tags are " + tags);
        }
    }
}

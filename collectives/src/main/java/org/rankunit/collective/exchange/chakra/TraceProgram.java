package org.rankunit.collective.exchange.chakra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rankunit.collective.exchange.Circles;
import org.rankunit.collective.exchange.GoalOperation.Kind;
import org.rankunit.collective.exchange.GoalProgram;
import org.rankunit.collective.exchange.MessageCheck;
import org.rankunit.collective.exchange.Operations;

/** Makes a program of the traces of all ranks. */
final class TraceProgram {

    private static final int NONE = -1;
    private static final long NANOS_OF_MICRO = 1000;
    private static final long MAX_MICROS = Long.MAX_VALUE / NANOS_OF_MICRO;
    /** The largest tag stands for any tag in a program. */
    private static final long MAX_TAG = 0xffff_fffeL;
    /** Computations of the host, which are not on a stream of the device. */
    private static final int HOST = Integer.MAX_VALUE;

    private final List<Path> files;
    private final List<Operations> ranks = new ArrayList<>();
    private final MessageCheck messages = new MessageCheck();
    /** The nodes of each rank; they tell people what an operation was. */
    private final List<List<TraceNode>> nodes = new ArrayList<>();

    private TraceProgram(List<Path> files) {
        this.files = files;
    }

    static GoalProgram read(List<Path> files) throws IOException {
        return new TraceProgram(files).read();
    }

    private GoalProgram read() throws IOException {
        for (int rank = 0; rank < files.size(); rank++) {
            List<TraceNode> ofRank = new ArrayList<>();
            TraceFile.read(files.get(rank), ofRank::add);
            nodes.add(ofRank);
            ranks.add(operations(rank, ofRank));
        }
        messages.problem().ifPresent(problem -> {
            int rank = (int) (problem.place() >>> Integer.SIZE);
            TraceNode node = nodes.get(rank).get((int) problem.place());
            throw error(rank, node, problem.what() + "; expected " + problem.expected());
        });
        return GoalProgram.of(ranks);
    }

    private ChakraFormatException error(int rank, TraceNode node, String what) {
        return ChakraFormatException.at(files.get(rank), node.offset(), node + ": " + what);
    }

    private Operations operations(int rank, List<TraceNode> ofRank) {
        Operations operations = new Operations();
        Map<Long, Integer> numbers = new HashMap<>();
        for (int number = 0; number < ofRank.size(); number++) {
            TraceNode node = ofRank.get(number);
            if (numbers.putIfAbsent(node.id(), number) != null) {
                throw error(rank, node, "another node has this id; ids are unique in a file");
            }
            add(operations, rank, node, ((long) rank << Integer.SIZE) | number);
        }
        for (int number = 0; number < ofRank.size(); number++) {
            for (long id : ofRank.get(number).required()) {
                Integer other = numbers.get(id);
                if (other == null) {
                    throw error(
                            rank,
                            ofRank.get(number),
                            "it depends on node " + Long.toUnsignedString(id) + ", which the file does not have");
                }
                operations.depend(number, other, false);
            }
        }
        operations.built();
        requireNoCircle(rank, ofRank, operations);
        return operations;
    }

    private void requireNoCircle(int rank, List<TraceNode> ofRank, Operations operations) {
        List<Integer> circle = Circles.find(operations);
        if (!circle.isEmpty()) {
            throw error(
                    rank,
                    ofRank.get(circle.get(0)),
                    "nodes wait for each other in a cycle: "
                            + circle.stream()
                                    .map(each -> Long.toUnsignedString(
                                            ofRank.get(each).id()))
                                    .collect(Collectors.joining(" -> ")));
        }
    }

    private void add(Operations operations, int rank, TraceNode node, long place) {
        switch (node.type()) {
            case TraceNode.COMP -> operations.add(Kind.CALC, nanos(rank, node), NONE, 0, stream(rank, node), 0);
            case TraceNode.METADATA -> operations.add(Kind.CALC, 0, NONE, 0, HOST, 0);
            case TraceNode.SEND -> message(operations, rank, node, true, place);
            case TraceNode.RECV -> message(operations, rank, node, false, place);
            default ->
                throw error(
                        rank,
                        node,
                        "RankUnit runs COMP_NODE, COMM_SEND_NODE, COMM_RECV_NODE and METADATA_NODE. "
                                + (node.typeName().equals("COMM_COLL_NODE")
                                        ? "Replace the collective by the sends and receives of an algorithm"
                                        : "Leave the node out, or give its time as a COMP_NODE"));
        }
    }

    private long nanos(int rank, TraceNode node) {
        if (Long.compareUnsigned(node.micros(), MAX_MICROS) > 0) {
            throw error(
                    rank,
                    node,
                    "duration_micros = " + Long.toUnsignedString(node.micros()) + ": expected at most " + MAX_MICROS);
        }
        return node.micros() * NANOS_OF_MICRO;
    }

    private int stream(int rank, TraceNode node) {
        if (node.has("stream")) {
            return (int) number(rank, node, "stream", 0, HOST - 1L);
        }
        return node.has("is_cpu_op") && number(rank, node, "is_cpu_op", 0, 1) == 1 ? HOST : 0;
    }

    private void message(Operations operations, int rank, TraceNode node, boolean send, long place) {
        String own = send ? "comm_src" : "comm_dst";
        if (node.has(own) && number(rank, node, own, 0, files.size() - 1L) != rank) {
            throw error(rank, node, own + " = " + node.number(own) + ", but this is the file of rank " + rank);
        }
        int peer = (int) number(rank, node, send ? "comm_dst" : "comm_src", 0, files.size() - 1L);
        int tag = node.has("comm_tag") ? (int) number(rank, node, "comm_tag", 0, MAX_TAG) : 0;
        long bytes = number(rank, node, "comm_size", 0, Long.MAX_VALUE);
        operations.add(send ? Kind.SEND : Kind.RECV, bytes, peer, tag, stream(rank, node), 0);
        messages.add(send, send ? rank : peer, send ? peer : rank, tag, bytes, place);
    }

    private long number(int rank, TraceNode node, String attribute, long least, long most) {
        if (!node.has(attribute)) {
            throw error(rank, node, "it has no attribute " + attribute);
        }
        Long value = node.number(attribute);
        if (value == null || value < least || value > most) {
            throw error(
                    rank,
                    node,
                    attribute + (value == null ? " is not a 64-bit integer" : " = " + value) + "; expected "
                            + (most == Long.MAX_VALUE ? least + " or more" : least + " to " + most));
        }
        return value;
    }
}

package org.rankunit.collective.exchange.chakra;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.collective.exchange.GoalFile;
import org.rankunit.collective.exchange.GoalOperation;
import org.rankunit.collective.exchange.GoalOperation.Kind;
import org.rankunit.collective.exchange.GoalProgram;
import org.rankunit.collective.exchange.LocalCost;
import org.rankunit.collective.schedule.Schedule;

/**
 * Chakra execution traces, which ASTRA-sim reads: one file for each rank, {@code NAME.RANK.et}, with messages of Protocol Buffers that
 * follow their length. Schedules are written as traces, and traces of others are read as programs.
 *
 * <p>A file that is written has a {@code GlobalMetadata} of version {@value #VERSION}, and one {@code Node} for each operation that {@link GoalFile}
 * would write, in the same order:
 *
 * <ul>
 *   <li>{@code id} from 1, {@code name} as in GOAL, and {@code data_deps}: the ids of what it requires, all of which come earlier;
 *   <li>a calc is a {@code COMP_NODE} with {@code duration_micros}, rounded up to whole microseconds, and
 *       left out if it is 0;
 *   <li>a send is a {@code COMM_SEND_NODE}, a receive a {@code COMM_RECV_NODE}; both have the attributes {@code comm_src}, {@code
 *       comm_dst} and {@code comm_tag} (int32) and {@code comm_size} (int64);
 *   <li>all have {@code is_cpu_op}, which is false: streams of a device do this work. {@code stream} (int64) is the number of the stream,
 *       left out if it is 0; {@link #read} knows it, and ASTRA-sim ignores it.
 * </ul>
 *
 * <p>Lost is what GOAL loses, and also parts of
 * microseconds: ASTRA-sim takes 1 ns for a node of 0 us. Its roofline model needs attributes that are not here. Source of field numbers:
 * {@code schema/protobuf/et_def.proto} of mlcommons/chakra.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class ChakraTrace {

    /** Of the schema, as files say. */
    public static final String VERSION = "0.0.4";

    private static final int METADATA_VERSION = 1;
    private static final int ID = 1;
    private static final int NAME = 2;
    private static final int TYPE = 3;
    private static final int DATA_DEPS = 5;
    private static final int DURATION_MICROS = 7;
    private static final int ATTRIBUTE = 10;
    private static final int ATTRIBUTE_NAME = 1;
    private static final int INT32 = 7;
    private static final int INT64 = 9;
    private static final int BOOL = 27;
    private static final int COMP = 4;
    private static final int SEND = 5;
    private static final int RECV = 6;
    private static final long NANOS_OF_MICRO = 1000;

    private ChakraTrace() {}

    /**
     * Write a schedule. The name of the files is that of its algorithm, and what is inside a rank takes no time.
     *
     * @param folder is made if it does not exist; files of the same names are replaced
     * @return the file of each rank
     * @throws IllegalArgumentException if streams wait forever, or a notify is posted while it is set, or is never awaited
     */
    public static List<Path> write(Schedule schedule, Path folder) throws IOException {
        return write(schedule, LocalCost.FREE, folder);
    }

    /** The same with a cost of what is inside a rank. */
    public static List<Path> write(Schedule schedule, LocalCost cost, Path folder) throws IOException {
        GoalProgram program = GoalProgram.of(schedule, cost);
        Files.createDirectories(folder);
        List<Path> files = new ArrayList<>();
        for (int rank = 0; rank < program.ranks(); rank++) {
            Path file = folder.resolve(schedule.algorithm() + "." + rank + ".et");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                new WireMessage().text(METADATA_VERSION, VERSION).writeTo(out);
                List<GoalOperation> operations = program.operations(rank);
                for (int number = 0; number < operations.size(); number++) {
                    node(rank, number, operations.get(number)).writeTo(out);
                }
            }
            files.add(file);
        }
        return files;
    }

    /** Whether {@link #read} would look for traces at a place: a folder, a trace, or a name of which there is a trace of rank 0. */
    public static boolean areAt(Path place) {
        return TraceFiles.areAt(place);
    }

    /**
     * Read the traces of all ranks.
     *
     * <ul>
     *   <li>A node starts when all of its {@code data_deps} and {@code ctrl_deps} have ended.
     *   <li>A {@code COMP_NODE} lasts {@code duration_micros}, and no time if there are none. Computations with the same attribute {@code
     *       stream} follow each other; without that attribute, those of the host ({@code is_cpu_op}) do, and those of the device.
     *   <li>{@code COMM_SEND_NODE} and {@code COMM_RECV_NODE} need {@code comm_size} and the rank at the other end, {@code comm_dst} or
     *       {@code comm_src}; {@code comm_tag} is 0 if it is missing. Any integer type of the schema will do.
     *   <li>A {@code METADATA_NODE} takes no time. Nodes of other types are refused.
     * </ul>
     *
     * @param place a folder with the traces of one name; {@code FOLDER/NAME}; or the trace of one rank, which stands for those of all
     * @throws ChakraFormatException if the files are something else; the message has the file, the byte and the node
     */
    public static GoalProgram read(Path place) throws IOException {
        return TraceProgram.read(TraceFiles.at(place));
    }

    private static WireMessage node(int rank, int number, GoalOperation operation) {
        WireMessage node = new WireMessage()
                .number(ID, id(number))
                .text(NAME, operation.toString())
                .number(TYPE, type(operation.kind()))
                .packed(
                        DATA_DEPS,
                        operation.requires().stream().mapToLong(ChakraTrace::id).toArray());
        if (operation.kind() == Kind.CALC) {
            long micros = -Math.floorDiv(-operation.amount(), NANOS_OF_MICRO);
            if (micros > 0) {
                node.number(DURATION_MICROS, micros);
            }
        } else {
            boolean sends = operation.kind() == Kind.SEND;
            node.message(ATTRIBUTE, attribute("comm_src", INT32, sends ? rank : operation.peer()))
                    .message(ATTRIBUTE, attribute("comm_dst", INT32, sends ? operation.peer() : rank))
                    .message(ATTRIBUTE, attribute("comm_tag", INT32, operation.tag()))
                    .message(ATTRIBUTE, attribute("comm_size", INT64, operation.amount()));
        }
        node.message(ATTRIBUTE, attribute("is_cpu_op", BOOL, 0));
        return operation.cpu() == 0 ? node : node.message(ATTRIBUTE, attribute("stream", INT64, operation.cpu()));
    }

    private static long id(int number) {
        return number + 1L;
    }

    private static int type(Kind kind) {
        return switch (kind) {
            case CALC -> COMP;
            case SEND -> SEND;
            case RECV -> RECV;
        };
    }

    /** Values are a oneof, so that a 0 is written too. */
    private static WireMessage attribute(String name, int field, long value) {
        return new WireMessage().text(ATTRIBUTE_NAME, name).number(field, value);
    }
}

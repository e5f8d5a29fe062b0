package org.rankunit.collective.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.schedule.Schedule;

/**
 * Programs in GOAL, the text that LogGOPSim and ATLAHS read.
 *
 * <pre>
 * num_ranks 2
 *
 * rank 0 {
 * l1: calc 500
 * l2: send 64b to 1 tag 7
 * l2 requires l1
 * }
 *
 * rank 1 {
 * l1: recv 64b from 0 tag 7
 * }
 * </pre>
 *
 * <p>Tasks of a {@link Schedule} become operations:
 *
 * <ul>
 *   <li>A stream becomes a {@code cpu} of its number, and the order of its tasks {@code requires}. What happens to the memory of a rank
 *       without a task of its own, since others read or write it, has one more cpu.
 *   <li>{@code PUT}: a send of the stream, and a receive at the other rank that may start at once.
 *   <li>{@code GET}: the stream sends {@value #SIGNAL_BYTES} byte, the other rank receives it and sends the data, and the stream
 *       receives that. So data leaves when the reader is ready, and after the other rank has said that it may be read.
 *   <li>{@code COPY}, {@code REDUCE}: a calc. {@code PUT_REDUCE}: a calc before the send. {@code GET_REDUCE}: a calc after the receive.
 *       A calc lasts as long as a {@link LocalCost} says, also if that is 0.
 *   <li>{@code POST} on a link: a send of {@value #SIGNAL_BYTES} byte, which nothing requires. {@code WAIT} on a link: the receive. Both
 *       are left out if all that the post comes after is a write to the same rank: its receive tells as much.
 *   <li>{@code POST} and {@code WAIT} inside a rank: {@code requires}, and no operation.
 *   <li>What would require more than two operations requires a calc of 0 ns that requires them.
 * </ul>
 *
 * <p>Messages of one rank have different tags. All order between tasks is kept if a send ends when its message has been received:
 * {@link GoalProgram#simulate} and rendezvous in LogGOPSim do that (there {@code -S 1}, so that messages of more than one byte use it). With
 * eager sends, the writer's next task does not wait until a write has landed.
 *
 * <p>With {@link #SIGNAL_BYTES} as {@code signalBytes}, {@link GoalProgram#simulate} gives the same seconds as {@link
 * org.rankunit.collective.simulate.Simulation}, for each rank of a correct schedule, if no transfer waits for a port, tasks as such cost
 * nothing, and costs are whole nanoseconds.
 *
 * <p>Lost are: buffers and addresses; which notify, link or task an operation came from; that {@code PUT_REDUCE} reduces after the
 * transfer, so that ports are occupied later by that time; that signals cost nothing; fractions of nanoseconds. LogGOPSim keeps 8 bits of
 * a cpu, so that it mixes streams of ranks with more than 255 of them.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class GoalFile {

    /** Size of a message that stands for a signal. LogGOPSim subtracts one byte from sizes, so it is not 0. */
    public static final long SIGNAL_BYTES = 1;

    private static final int BLOCK_BYTES = 1 << 16;

    private GoalFile() {}

    /**
     * Write a schedule.
     *
     * @throws IllegalArgumentException if streams wait forever, or a notify is posted while it is set, or is never awaited
     */
    public static void write(Schedule schedule, LocalCost cost, Path file) throws IOException {
        write(GoalProgram.of(schedule, cost), file);
    }

    /** The same; the writer stays open. */
    public static void write(Schedule schedule, LocalCost cost, Writer writer) throws IOException {
        write(GoalProgram.of(schedule, cost), writer);
    }

    /** Write a program. */
    public static void write(GoalProgram program, Path file) throws IOException {
        try (Writer writer = Files.newBufferedWriter(file, UTF_8)) {
            write(program, writer);
        }
    }

    /**
     * Write a program: operations have labels {@code l1}, {@code l2} and so on, and a cpu or nic of 0 is left out. Each dependency follows
     * the later one of its two operations, since LogGOPSim wants labels to be known. The writer stays open.
     */
    public static void write(GoalProgram program, Writer writer) throws IOException {
        writer.write("num_ranks " + program.ranks() + "\n");
        for (int rank = 0; rank < program.ranks(); rank++) {
            writer.write("\nrank " + rank + " {\n");
            write(program.packed(rank), writer);
            writer.write("}\n");
        }
        writer.flush();
    }

    private static void write(Operations operations, Writer writer) throws IOException {
        int @Nullable [][] later = new int[operations.size()][];
        for (int number = 0; number < operations.size(); number++) {
            writer.write("l" + (number + 1) + ": " + operations.text(number) + "\n");
            for (int at = operations.first(number); at < operations.first(number + 1); at++) {
                int required = operations.required(at);
                if (required <= number) {
                    write(number, required, operations.isOfStart(at), writer);
                } else {
                    later[required] = with(later[required], 2 * number + (operations.isOfStart(at) ? 1 : 0));
                }
            }
            if (later[number] != null) {
                for (int code : later[number]) {
                    write(code / 2, number, code % 2 == 1, writer);
                }
            }
        }
    }

    private static int[] with(int @Nullable [] codes, int code) {
        int[] more = codes == null ? new int[1] : Arrays.copyOf(codes, codes.length + 1);
        more[more.length - 1] = code;
        return more;
    }

    private static void write(int dependent, int required, boolean start, Writer writer) throws IOException {
        writer.write("l" + (dependent + 1) + (start ? " irequires l" : " requires l") + (required + 1) + "\n");
    }

    /**
     * Read a program. A label is known after its operation; each rank has one block; for each pair of ranks and each tag, there are as many
     * receives as sends, of the same sizes; dependencies have no circle. {@code -1} is any rank of a receive, and any tag; to a rank with such
     * receives there are as many sends as it has receives. Tags have 32 bits and no sign.
     *
     * @throws GoalFormatException if it is none, or no text in UTF-8; the message has line and column
     */
    public static GoalProgram read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, UTF_8)) {
            return new GoalReader(reader, file.toString()).read();
        } catch (CharacterCodingException e) {
            throw notUtf8(file);
        }
    }

    /** Look for the place, which a reader does not tell. */
    private static GoalFormatException notUtf8(Path file) throws IOException {
        CharsetDecoder decoder = UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES);
        CharBuffer chars = CharBuffer.allocate(BLOCK_BYTES);
        int line = 1;
        int column = 1;
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            boolean ends = false;
            while (!ends) {
                ends = channel.read(bytes) < 0;
                bytes.flip();
                ends |= decoder.decode(bytes, chars, ends).isError();
                chars.flip();
                while (chars.hasRemaining()) {
                    boolean next = chars.get() == '\n';
                    line += next ? 1 : 0;
                    column = next ? 1 : column + 1;
                }
                chars.clear();
                bytes.compact();
            }
        }
        return new GoalFormatException(
                file.toString(), line, column, "a byte that is not UTF-8", "a file that is saved in UTF-8");
    }

    /** The same; the reader stays open. */
    public static GoalProgram read(Reader reader) throws IOException {
        return new GoalReader(new BufferedReader(reader), "").read();
    }
}

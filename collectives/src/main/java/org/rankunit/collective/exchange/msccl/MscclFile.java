package org.rankunit.collective.exchange.msccl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.stream.XMLStreamException;
import org.apiguardian.api.API;
import org.rankunit.collective.exchange.msccl.export.MscclWriter;
import org.rankunit.collective.exchange.msccl.xml.MscclFormatException;
import org.rankunit.collective.exchange.msccl.xml.MscclReader;
import org.rankunit.collective.schedule.Schedule;

/**
 * Algorithms in the XML of MSCCL, which {@code msccl-tools} and other synthesisers write, and MSCCL and RCCL run.
 *
 * <p>What steps become:
 *
 * <ul>
 *   <li>A threadblock is a stream; the first one with steps is the main stream. A dependency ({@code depid}, {@code deps}) is a notify of
 *       its own between two streams.
 *   <li>A connection of two ranks over a channel has slots in the memory of the receiver: 2 with protocol {@code Simple}, 8 with {@code LL}
 *       and {@code LL128}, as many as NCCL has. A send waits for Ack of the next slot, writes the message there, and posts DataSignal. So
 *       it ends before the message is received, and its source may be changed. Only a sender that is as many messages ahead as there are
 *       slots waits.
 *   <li>A receive waits for DataSignal, takes the message from the slot, and posts Ack if a later message uses the slot again. A reduction
 *       of a received message is made in the slot if the result is not stored at its source.
 *   <li>A message to another server is first copied to a slot of the sender, since the write has not read its source when it returns.
 * </ul>
 *
 * <p>What the runtime of MSCCL does and this does not: it divides chunks that are larger than its buffers, and messages of several chunks if
 * they do not fit; fewer messages are under way then. {@code minBytes} and {@code maxBytes}, which say when MSCCL chooses the algorithm,
 * are ignored.
 *
 * <p>Sources of the format: {@code msccl/language/ir.py} of microsoft/msccl-tools; the parser and the interpreter of microsoft/msccl.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MscclFile {

    private MscclFile() {}

    /**
     * Read an algorithm. Collectives with a root are for root 0, unless {@code <algo>} has an attribute {@code root}, which is RankUnit's
     * own.
     *
     * @throws MscclFormatException if the file is no such algorithm, or one that MSCCL would refuse; the message has the line
     */
    public static MscclAlgorithm read(Path file) throws IOException {
        return new MscclAlgorithm(MscclReader.read(file));
    }

    /**
     * Write a schedule. The file is for all counts that have as many chunks as that of the schedule, and for the same place.
     *
     * <p>On each rank, a threadblock sends to one other rank, one receives from one, and one does what is inside the rank. Steps are in an
     * order in which the tasks of the schedule can run, and wait for each other where they use the same chunks; notifies, streams and links
     * are not kept. So the schedule must be one that the verifier finds nothing in. The file runs with any number of messages under way.
     * CCL buffers become scratch memory, and {@code PUT_REDUCE} becomes a reduction by the receiver.
     *
     * @throws IllegalArgumentException if MSCCL cannot express it: a barrier, a send-recv, counts that differ, a step of more than 71
     *     chunks, a threadblock of more than 256 steps, or streams that wait forever
     */
    public static void write(Schedule schedule, Path file) throws IOException {
        MscclWriter writer;
        try {
            writer = new MscclWriter(schedule);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    schedule.algorithm() + " (" + schedule.call() + ") cannot be expressed by MSCCL: " + e.getMessage(),
                    e);
        }
        try (Writer out = Files.newBufferedWriter(file, UTF_8)) {
            writer.writeTo(out);
        } catch (XMLStreamException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}

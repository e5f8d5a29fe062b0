package org.rankunit.collective.exchange.msccl.export;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Region;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.exchange.msccl.program.Chunks;
import org.rankunit.collective.exchange.msccl.program.StepType;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;

/** Makes threadblocks of a schedule, and writes them as XML. */
@API(status = INTERNAL, since = "0.1")
public final class MscclWriter {

    /** What the runtime of MSCCL takes. */
    private static final int MAX_STEPS = 256;

    private static final int MAX_COUNT = 71;

    private final Schedule schedule;
    private final CollectiveCall call;
    private final Grid grid;
    private final List<RankLanes> ranks = new ArrayList<>();

    /** @throws IllegalArgumentException if MSCCL cannot express the schedule */
    public MscclWriter(Schedule schedule) {
        this.schedule = schedule;
        this.call = schedule.call();
        requireCall();
        List<Task> moves = new ArrayList<>();
        TaskOrder.forEach(schedule, moves::add);
        this.grid = new Grid(call, moves);
        for (int rank = 0; rank < call.ranks(); rank++) {
            ranks.add(new RankLanes(rank, call.ranks()));
        }
        moves.forEach(this::add);
        ranks.forEach(rank -> rank.all().forEach(this::number));
    }

    private void requireCall() {
        Collective collective = call.collective();
        if (collective == Collective.BARRIER || collective == Collective.SEND_RECV) {
            throw new IllegalArgumentException("MSCCL has no " + collective);
        }
        if (call.count() == 0 || !call.counts().isEmpty()) {
            throw new IllegalArgumentException(
                    "MSCCL needs the same number of elements on each rank, and at least one");
        }
    }

    private void add(Task task) {
        Region from = task.from();
        Region to = task.to();
        if (from == null || to == null) {
            return;
        }
        Chunks source = grid.chunks(from);
        Chunks target = grid.chunks(to);
        if (source.count() > MAX_COUNT) {
            throw new IllegalArgumentException(task + " has " + source.count() + " chunks, and MSCCL takes up to "
                    + MAX_COUNT + " in a step; choose a count that all parts divide");
        }
        if (task.kind().isTransfer()) {
            ranks.get(from.rank()).send(to.rank(), source, target);
            ranks.get(to.rank()).receive(from.rank(), task.kind().reduces(), source, target);
        } else {
            StepType type = task.kind().reduces() ? StepType.REDUCE : StepType.COPY;
            ranks.get(from.rank()).inside(type, source, target);
        }
    }

    /** Several dependencies of a step need a step of their own each, but for the last one. */
    private void number(Lane lane) {
        int step = 0;
        Move before = null;
        for (Move move : lane.moves()) {
            if (before != null && before.wouldBeMergedWith(move)) {
                before.flag();
            }
            step += Math.max(0, move.dependencies().size() - 1);
            move.setStep(step++);
            before = move;
        }
        if (step > MAX_STEPS) {
            throw new IllegalArgumentException(
                    "a threadblock would have " + step + " steps, and MSCCL takes up to " + MAX_STEPS);
        }
    }

    /** Write the file. */
    public void writeTo(Writer writer) throws XMLStreamException {
        XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(writer);
        int channels = ranks.stream()
                .flatMap(rank -> rank.all().stream())
                .mapToInt(lane -> lane.channel() + 1)
                .max()
                .orElse(1);
        xml.writeStartElement("algo");
        write(xml, "name", schedule.algorithm());
        write(xml, "proto", "Simple");
        write(xml, "nchannels", channels);
        write(xml, "nchunksperloop", grid.chunks());
        write(xml, "ngpus", call.ranks());
        write(xml, "coll", call.collective().name().toLowerCase(Locale.ROOT).replace("_", ""));
        write(xml, "inplace", call.inPlace() ? 1 : 0);
        write(xml, "outofplace", call.inPlace() ? 0 : 1);
        write(xml, "minBytes", 0);
        write(xml, "maxBytes", Long.MAX_VALUE);
        if (call.root() != 0) {
            write(xml, "root", call.root());
        }
        for (int rank = 0; rank < call.ranks(); rank++) {
            gpu(xml, rank);
        }
        xml.writeCharacters("\n");
        xml.writeEndElement();
        xml.writeCharacters("\n");
        xml.writeEndDocument();
        xml.flush();
    }

    private static void write(XMLStreamWriter xml, String attribute, Object value) throws XMLStreamException {
        xml.writeAttribute(attribute, value.toString());
    }

    private void gpu(XMLStreamWriter xml, int rank) throws XMLStreamException {
        xml.writeCharacters("\n  ");
        xml.writeStartElement("gpu");
        write(xml, "id", rank);
        write(xml, "i_chunks", grid.inputs(rank));
        write(xml, "o_chunks", grid.outputs(rank));
        write(xml, "s_chunks", grid.scratch(rank));
        for (Lane lane : ranks.get(rank).all()) {
            xml.writeCharacters("\n    ");
            xml.writeStartElement("tb");
            write(xml, "id", lane.id());
            write(xml, "send", lane.send());
            write(xml, "recv", lane.recv());
            write(xml, "chan", lane.channel());
            for (Move move : lane.moves()) {
                steps(xml, move);
            }
            xml.writeCharacters("\n    ");
            xml.writeEndElement();
        }
        xml.writeCharacters("\n  ");
        xml.writeEndElement();
    }

    private static void steps(XMLStreamWriter xml, Move move) throws XMLStreamException {
        List<Move> required = new ArrayList<>(move.dependencies().values());
        int number = move.step() - Math.max(0, required.size() - 1);
        for (int i = 0; i < required.size() - 1; i++) {
            step(xml, number++, null, required.get(i));
        }
        step(xml, number, move, required.isEmpty() ? null : required.get(required.size() - 1));
    }

    /** @param move null of a step that only waits */
    private static void step(XMLStreamWriter xml, int number, @Nullable Move move, @Nullable Move required)
            throws XMLStreamException {
        xml.writeCharacters("\n      ");
        xml.writeEmptyElement("step");
        write(xml, "s", number);
        write(xml, "type", move == null ? StepType.NOP : move.type());
        write(xml, "srcbuf", move == null ? "i" : Chunks.letter(move.source().buffer()));
        write(xml, "srcoff", move == null ? -1 : move.source().from());
        write(xml, "dstbuf", move == null ? "o" : Chunks.letter(move.target().buffer()));
        write(xml, "dstoff", move == null ? -1 : move.target().from());
        write(xml, "cnt", move == null ? 0 : move.target().count());
        write(xml, "depid", required == null ? -1 : required.lane().id());
        write(xml, "deps", required == null ? -1 : required.step());
        write(xml, "hasdep", move != null && move.isFlagged() ? 1 : 0);
    }
}

package org.rankunit.collective.exchange.msccl.xml;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.exchange.msccl.program.Block;
import org.rankunit.collective.exchange.msccl.program.Connection;
import org.rankunit.collective.exchange.msccl.program.Program;

/** Reads a file from its first element to its last one, and checks what it says. */
@API(status = INTERNAL, since = "0.1")
public final class MscclReader implements XmlFile.Visitor {

    private static final int ALGO = 0;
    private static final int GPU = 1;
    private static final int BLOCK = 2;
    private static final int MAX_CHUNKS = 1 << 20;

    private final Path file;
    private @Nullable Header header;
    private @Nullable Element[] gpus = {};
    private final List<List<RawBlock>> blocks = new ArrayList<>();
    private int rank;
    private int[] sizes = {};
    private @Nullable RawBlock block;

    private MscclReader(Path file) {
        this.file = file;
    }

    /**
     * Read a file.
     *
     * @throws MscclFormatException if it is no program of MSCCL
     */
    public static Program read(Path file) throws IOException {
        MscclReader reader = new MscclReader(file);
        XmlFile.read(file, reader);
        return reader.program();
    }

    private Program program() {
        Header read = read();
        for (int gpu = 0; gpu < gpus.length; gpu++) {
            if (gpus[gpu] == null) {
                throw new MscclFormatException(
                        file.toString(), 0, "there is no <gpu id=\"" + gpu + "\">, but ngpus=\"" + gpus.length + "\"");
            }
        }
        List<Integer> dependencies = new ArrayList<>();
        for (List<RawBlock> ofRank : blocks) {
            ofRank.forEach(each -> Steps.check(each, read));
            dependencies.add(new Dependencies(ofRank).resolve());
        }
        List<Connection> connections = new Connections(blocks, read.slots()).all();
        List<List<Block>> resolved = blocks.stream()
                .map(ofRank -> ofRank.stream()
                        .map(RawBlock::resolved)
                        .filter(each -> !each.steps().isEmpty())
                        .toList())
                .toList();
        return read.program(sourceName(), resolved, dependencies, connections);
    }

    /** For messages, whose lines begin with it: so it is one line, whatever the file is called. */
    private String sourceName() {
        Path name = file.getFileName();
        return (name == null ? file : name).toString().replaceAll("\\p{Cntrl}", "?");
    }

    private Header read() {
        if (header == null) {
            throw new MscclFormatException(file.toString(), 0, "there is no <algo>");
        }
        return header;
    }

    @Override
    public void begins(int level, Element element) {
        switch (level) {
            case ALGO -> {
                Header algo = new Header(element);
                header = algo;
                gpus = new Element[algo.ranks()];
                for (int gpu = 0; gpu < algo.ranks(); gpu++) {
                    blocks.add(new ArrayList<>());
                }
            }
            case GPU -> gpu(element, read());
            case BLOCK -> block(element, read());
            default -> step(element);
        }
    }

    private void gpu(Element element, Header algo) {
        rank = element.number("id", 0, algo.ranks() - 1);
        Element before = gpus[rank];
        if (before != null) {
            throw element.error(element.shown("id") + " is also that of the gpu in line " + before.line());
        }
        gpus[rank] = element;
        sizes = new int[BufferKind.values().length];
        long inputs = algo.inChunks().inputBytes(rank);
        long outputs = algo.inChunks().outputBytes(rank);
        sizes[BufferKind.INPUT.number()] = (int) Math.min(element.number("i_chunks", 0, MAX_CHUNKS), inputs);
        sizes[BufferKind.OUTPUT.number()] = (int) Math.min(element.number("o_chunks", 0, MAX_CHUNKS), outputs);
        sizes[BufferKind.SCRATCH.number()] = element.number("s_chunks", 0, MAX_CHUNKS);
    }

    private void block(Element element, Header algo) {
        RawBlock added = new RawBlock(element, rank, algo.ranks(), algo.channels());
        List<RawBlock> ofRank = blocks.get(rank);
        if (added.id() != ofRank.size()) {
            throw element.error(element.shown("id")
                    + "; threadblocks of a gpu are numbered 0, 1, 2 and so on: expected " + ofRank.size());
        }
        ofRank.add(added);
        block = added;
    }

    private void step(Element element) {
        RawBlock current = block;
        if (current != null) {
            RawStep step = new RawStep(element, current.steps().size());
            step.readChunks(sizes);
            current.add(step);
        }
    }
}

package org.rankunit.engine.rank.buffers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.engine.rank.files.ParentFiles;

/**
 * Exchanges values between the ranks of a group, by files in its folder: the name of the type, and the elements.
 *
 * <p>A rank's file exists only from before the first barrier of an exchange to after the second, so that a rank which takes part in
 * another barrier instead is noticed.
 */
final class Gathering {

    private final ParentFiles files;
    private final Path sibling;
    private final int rank;
    private final int worldSize;

    /** @param sibling a file in the folder of the group */
    Gathering(ParentFiles files, Path sibling, int rank, int worldSize) {
        this.files = files;
        this.sibling = sibling;
        this.rank = rank;
        this.worldSize = worldSize;
    }

    /** @param barrier waits for all ranks */
    List<Values> gather(Values own, Runnable barrier) {
        try {
            write(own);
            barrier.run();
            List<Values> all = new ArrayList<>();
            for (int from = 0; from < worldSize; from++) {
                all.add(from == rank ? own : read(from));
            }
            barrier.run();
            return List.copyOf(all);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "rank " + rank + " cannot exchange values with the other ranks by " + file(rank) + ": " + e, e);
        } finally {
            files.remove(file(rank));
        }
    }

    private void write(Values own) throws IOException {
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(files.local(file(rank))))) {
            out.writeUTF(own.type().name());
            out.write(own.encode());
        }
        files.publish(file(rank));
    }

    private Values read(int from) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(files.fetch(file(from))))) {
            DType type = DType.valueOf(in.readUTF());
            return Values.decode(type, in.readAllBytes());
        } catch (NoSuchFileException e) {
            throw new IllegalStateException(
                    "rank " + from + " waited in another barrier while rank " + rank
                            + " was in allGather. Call it on every rank, in the same order.",
                    e);
        }
    }

    private Path file(int ofRank) {
        return sibling.resolveSibling("gathered-" + ofRank);
    }
}
